// The daily boards: today's, the archive, and the tables of best scores.

import * as api from "../api.js";
import { newGame } from "../play.js";
import { get, set } from "../store.js";
import { attempt } from "../talk.js";
import { h } from "../vdom.js";
import { capital, clock, dayName, parText } from "../words.js";
import { button, dayLink, emblem, link } from "./parts.js";

/** @typedef {import("../types.js").State} State */

/** @param {string[]} params  nothing, or a day and a mode */
export async function loadDaily(params) {
  const [day, mode] = params;
  if (day && mode) {
    set({ daily: null });
    await refreshDaily(day, mode);
  } else {
    const archive = await attempt(() => api.read("/daily?count=14"));
    if (archive) set({ archive });
  }
}

/** @param {string} day @param {string} mode */
async function refreshDaily(day, mode) {
  const path = `/daily/${encodeURIComponent(day)}/${encodeURIComponent(mode)}`;
  const daily = await attempt(() => api.read(path));
  const { route } = get();
  if (!daily || route.name !== "daily" || route.params[0] !== day || route.params[1] !== mode) return;
  set({ daily });
  if (daily.par.pending) setTimeout(() => refreshDaily(day, mode), 2500);
}

async function more() {
  const { archive } = get();
  const last = archive?.at(-1)?.day;
  const older = await attempt(() => api.read(`/daily?count=28&before=${last}`));
  if (older) set({ archive: [...(archive ?? []), ...older] });
}

/** Days begin and end by UTC. */
function untilTomorrow() {
  const minutes = 1440 - (Math.floor(Date.now() / 60_000) % 1440);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** @param {State} state */
export function dailyView(state) {
  const [day, mode] = state.route.params;
  return day && mode ? oneDay(state, day, mode) : archiveView(state);
}

/** @param {State} state */
function archiveView(state) {
  const { archive, about } = state;
  const last = archive?.at(-1)?.day;
  return h("div", { class: "page", key: "archive" },
    h("section", { class: "hero" }, h("h1", null, "Daily boards"),
      h("p", null, `One board a day in every mode, the same for everyone. The next ones come in ${untilTomorrow()}.`)),
    h("div", { class: "days" }, archive?.map((d, i) =>
      h("section", { class: i === 0 ? "card day today" : "card day", key: d.day },
        h("h2", null, i === 0 ? "Today" : dayName(d.day),
          h("small", null, `${d.size} × ${d.size}`)),
        h("div", { class: "chips" }, about?.modes.map((m) => dayLink(d.day, m.name, d.played[m.name])))))),
    last && last > (about?.first_day ?? "") && h("div", { class: "controls wide" }, button("", "Older boards", more)));
}

/** @param {State} state @param {string} day @param {string} mode */
function oneDay(state, day, mode) {
  const { daily } = state;
  return h("div", { class: "page narrow", key: "day" },
    h("section", { class: "hero with-emblem" }, emblem(mode), h("div", null,
      h("h1", null, `${capital(mode)}, ${dayName(day)}`),
      h("p", null, daily ? `${daily.height} × ${daily.width} · par ${parText(daily.par)}` : "One moment …"))),
    h("div", { class: "controls wide" },
      button("play", "Play this board", () => newGame({ kind: "daily", mode, day }), { class: "primary", id: "play-daily" }),
      state.about?.modes.filter((m) => m.name !== mode).map((m) => link(`daily/${day}/${m.name}`, capital(m.name), { class: "button", key: m.name })),
      link("daily", "All days", { class: "button" })),
    daily && h("section", { class: "card" }, h("h2", null, "Best scores"), table(daily.entries),
      !state.me.consented && h("p", { class: "small" }, "To be listed here, let the server remember you: ",
        h("button", { type: "button", class: "text", onclick: () => set({ dialog: "consent" }) }, "what that means"), ".")));
}

/** @param {import("../types.js").Entry[]} entries */
function table(entries) {
  if (!entries.length) return h("p", null, "Nobody has finished this board yet. Be the first.");
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Best scores" }, h("table", null,
    h("thead", null, h("tr", null, ["", "Name", "Moves", "Hints", "Undos", "Time"].map((t) => h("th", { scope: "col" }, t || h("span", { class: "sr-only" }, "Rank"))))),
    h("tbody", null, entries.map((e) => h("tr", { class: e.mine ? "mine" : "", key: e.rank },
      [e.rank, e.mine ? `${e.name} (you)` : e.name, e.moves, e.hints, e.undos, clock(e.seconds)].map((v) => h("td", null, v)))))));
}
