// The page: one state, one way from it to what is seen.

import * as api from "./api.js";
import { icon } from "./icons.js";
import { newGame, openGame } from "./play.js";
import { arrive, follow, go } from "./router.js";
import { get, set, start } from "./store.js";
import { attempt } from "./talk.js";
import { h, patch } from "./vdom.js";
import { analyse } from "./views/after.js";
import { dailyView, loadDaily } from "./views/daily.js";
import { gameKeys, gameView } from "./views/game.js";
import { home, loadHome } from "./views/home.js";
import { lessonView, loadLesson } from "./views/lesson.js";
import { link } from "./views/parts.js";
import { loadRoom, roomView } from "./views/rooms.js";
import { consentBar, dialogs, privacyView } from "./views/settings.js";
import { loadStats, statsView } from "./views/stats.js";

/** @typedef {import("./types.js").State} State */

/** @type {Record<string, (state: State) => any>} */
const VIEWS = {
  home, game: gameView, daily: dailyView, stats: statsView, class: roomView, lesson: lessonView, privacy: privacyView,
};

/** @type {[string, string][]} */
const PAGES = [["", "Play"], ["daily", "Daily"], ["class", "Class"], ["stats", "Statistics"]];

/** @param {State} state */
function page(state) {
  const here = state.route.name;
  const view = VIEWS[here] ?? home;
  return [
    h("header", { class: "top", key: "top" },
      link("", [h("span", { class: "logo", "aria-hidden": "true" }, h("i"), h("i"), h("i"), h("i")), "Chokepoint"], { class: "brand" }),
      h("nav", { "aria-label": "Pages" }, PAGES.map(([path, label]) =>
        link(path, label, { key: path, "aria-current": here === (path || "home") || (!path && here === "game") ? "page" : null }))),
      h("button", { type: "button", class: "round", "aria-label": "Settings", id: "settings", onclick: () => set({ dialog: "settings" }) }, icon("gear"))),
    h("main", { key: "main", id: "main" }, view(state)),
    consentBar(state) || null,
    dialogs(state),
    h("div", { key: "notice", class: `notice${state.notice ? " shown" : ""}${state.noticeIsError ? " error" : ""}`, role: state.noticeIsError ? "alert" : "status" }, state.notice),
    h("div", { key: "said", class: "sr-only", role: "status", "aria-live": "polite", id: "said" }, state.said),
  ].filter((vnode) => vnode !== null);
}

let openDialog = "";
/** @type {Element|null} */
let focusBefore = null;
/** @type {string} */
let analysed = "";

/** @param {State} state */
function render(state) {
  const root = document.documentElement;
  root.dataset.theme = state.settings.theme;
  root.dataset.palette = state.settings.palette;
  if (state.dialog && !openDialog) focusBefore = document.activeElement;
  patch(/** @type {Element} */ (document.getElementById("app")), page(state));
  if (state.dialog !== openDialog) {
    if (state.dialog) document.getElementById("dialog")?.focus();
    else if (focusBefore instanceof HTMLElement) focusBefore.focus();
    openDialog = state.dialog;
  }
  const { game } = state;
  if (game?.done && state.route.name === "game" && analysed !== game.id) {
    analysed = game.id;
    analyse(game);
  }
}

arrive("home", loadHome);
arrive("game", ([id]) => openGame(id));
arrive("board", ([code]) => newGame({ kind: "link", code }).then((game) => game || go("")));
arrive("daily", loadDaily);
arrive("stats", loadStats);
arrive("class", loadRoom);
arrive("lesson", loadLesson);

window.addEventListener("hashchange", follow);
document.addEventListener("keydown", (event) => gameKeys(event, get()));

async function begin() {
  start(render);
  const [about, me] = await Promise.all([attempt(() => api.read("/about")), attempt(() => api.read("/me"))]);
  set({ ...(about ? { about } : {}), ...(me ? { me } : {}) });
  if (!location.hash && !get().settings.lessonSeen) go("lesson");
  else follow();
}

begin();
