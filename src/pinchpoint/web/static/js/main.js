// The page: one state, one way from it to what is seen. Views are fetched when they are first opened.

import { h, render } from "../vendor/preact.js";
import * as api from "./api.js";
import { button, icon, link } from "./parts.js";
import { follow, get, onArrival, set, start } from "./state.js";
import { homeView, loadHome } from "./views/home.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {{title: string, load?: (params: string[]) => void, view: (state: State) => any}} View */

/** @type {Record<string, () => Promise<View>>} */
const VIEWS = {
  "": async () => ({ title: "", load: loadHome, view: homeView }),
  game: () => import("./views/game.js").then((m) => ({ title: "Game", load: m.loadGame, view: m.gameView })),
  board: () => import("./views/game.js").then((m) => ({ title: "A board", load: m.loadLink, view: m.gameView })),
  new: () => import("./views/new.js").then((m) => ({ title: "Choose a board", view: m.newView })),
  race: () => import("./views/race.js").then((m) => ({ title: "Race the agent", view: m.raceView })),
  campaign: () =>
    import("./views/campaign.js").then((m) => ({ title: "Campaign", load: m.loadCampaign, view: m.campaignView })),
  daily: () =>
    import("./views/daily.js").then((m) => ({ title: "Daily boards", load: m.loadDaily, view: m.dailyView })),
  class: () => import("./views/rooms.js").then((m) => ({ title: "Class", load: m.loadRoom, view: m.roomView })),
  stats: () => import("./views/stats.js").then((m) => ({ title: "Your games", load: m.loadStats, view: m.statsView })),
  lesson: () => import("./views/lesson.js").then((m) => ({ title: "Lesson", load: m.loadLesson, view: m.lessonView })),
  laboratory: () => import("./views/laboratory.js").then((m) => ({ title: "Laboratory", view: m.laboratoryView })),
  privacy: () => import("./views/settings.js").then((m) => ({ title: "Privacy", view: m.privacyView })),
};

/** @type {[string, string][]} */
const PAGES = [
  ["", "Play"],
  ["daily", "Daily"],
  ["campaign", "Levels"],
  ["race", "Race"],
  ["class", "Class"],
  ["stats", "You"],
];

/** @param {State} state */
function page(state) {
  const here = state.route.name;
  return [
    h(
      "header",
      { class: "top", key: "top" },
      link(
        "",
        [
          h("span", { class: "logo", "aria-hidden": "true" }, h("i"), h("i"), h("i"), h("i")),
          h("span", { class: "name" }, "Pinchpoint"),
        ],
        { class: "brand", "aria-label": "Pinchpoint" },
      ),
      h(
        "nav",
        { "aria-label": "Pages" },
        PAGES.map(([path, label]) =>
          link(path, label, {
            key: path,
            "aria-current": here === path || (!path && ["game", "board", "new"].includes(here)) ? "page" : null,
          }),
        ),
      ),
      h(
        "button",
        {
          type: "button",
          class: "round",
          "aria-label": "Settings",
          id: "settings",
          onclick: () => set({ dialog: "settings" }),
        },
        icon("gear"),
      ),
    ),
    h("main", { key: "main", id: "main" }, state.lost ? lostView(state) : state.view ? state.view(state) : waiting()),
    state.offline &&
      h(
        "div",
        { key: "line", class: "reconnecting", role: "status" },
        state.queue.length ? "Reconnecting … Your moves are kept." : "Reconnecting …",
      ),
    overlays?.dialogs(state),
    h(
      "div",
      {
        key: "notice",
        class: `notice${state.notice ? " shown" : ""}${state.noticeIsError ? " error" : ""}`,
        role: state.noticeIsError ? "alert" : "status",
      },
      state.notice,
    ),
    h("div", { key: "said", class: "sr-only", role: "status", "aria-live": "polite", id: "said" }, state.said),
  ];
}

const waiting = () => h("p", { class: "empty" }, "One moment …");

/** An address that leads nowhere. @param {State} state */
const lostView = (state) =>
  h(
    "div",
    { class: "page narrow", key: "lost" },
    h(
      "section",
      { class: "card lost" },
      h("h1", null, "Nothing here"),
      h("p", null, state.lost),
      h(
        "div",
        { class: "controls wide" },
        state.offline && button("restart", "Try again", () => location.reload()),
        link("", "Play a board", { class: "button primary" }),
        link("daily", "Today's boards", { class: "button" }),
      ),
    ),
  );

/** Dialogs, fetched when one of them is first needed. @type {any} */
let overlays = null;

/** @type {View|null} */
let opened = null;
let openDialog = "";
/** @type {Element|null} */
let focusBefore = null;

/** @param {State} state */
function draw(state) {
  const root = document.documentElement;
  root.dataset.theme = state.settings.theme;
  root.dataset.palette = state.settings.palette;
  document.title = title(state);
  if (!overlays && state.dialog) {
    import("./views/settings.js").then((m) => {
      overlays = m;
      set({});
    });
  }
  const shows = overlays ? state.dialog : "";
  if (shows && !openDialog) focusBefore = document.activeElement;
  render(h("div", { id: "page" }, page(state)), /** @type {Element} */ (document.getElementById("app")));
  if (shows !== openDialog) {
    if (shows) document.getElementById("dialog")?.focus();
    else if (focusBefore instanceof HTMLElement) focusBefore.focus();
    openDialog = shows;
  }
}

/** @param {State} state */
function title(state) {
  const { game, route, results, room } = state;
  const { name, params } = route;
  const what = state.lost
    ? "Nothing here"
    : game && name === "game"
      ? `${game.mode} ${game.height} × ${game.width}${game.done ? `, ${game.ply} moves` : ""}`
      : name === "daily" && params[1]
        ? `${params[1]} of ${params[0]}`
        : name === "class"
          ? (results?.title ?? room?.title ?? "Class")
          : (opened?.title ?? "");
  return what ? `${what.charAt(0).toUpperCase()}${what.slice(1)} · Pinchpoint` : "Pinchpoint: find the choke point";
}

onArrival(async (route) => {
  const make = VIEWS[route.name];
  if (!make) return set({ view: null, lost: "There is no such page. The link may have been cut short." });
  const here = api.staying();
  // What another address showed is not left standing there for long.
  const slow = setTimeout(() => here() && set({ view: null }), 300);
  const known = await make().catch(() => null);
  clearTimeout(slow);
  if (!here()) return;
  if (!known) return set({ view: null, lost: "This page could not be loaded. Check your connection, and try again." });
  opened = known;
  set({ view: known.view });
  known.load?.(route.params);
});

/** Where the game is installed as an app, a page of its own says that the server cannot be reached. */
function prepareForOffline() {
  if (get().settings.finished === 0 || !("serviceWorker" in navigator)) return;
  navigator.serviceWorker.register("/sw.js").catch(() => {}); // not in a private window
}

async function begin() {
  start(draw);
  await api.poll(
    () => api.read("/start"),
    ({ about, me, today }) => set({ about, me, today }),
    { here: () => true },
  );
  follow();
  prepareForOffline();
}

begin();
