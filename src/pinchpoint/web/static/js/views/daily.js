// The daily boards: today's, the archive, and how everybody did.

import { h } from "../../vendor/preact.js";
import * as api from "../api.js";
import { board, shortLegend } from "../board.js";
import { button, dayLink, link } from "../parts.js";
import { newGame } from "../session.js";
import { get, go, set } from "../state.js";
import { capital, count, dayName, parText, task } from "../words.js";

/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").Daily} Daily */

/** @param {string[]} params  nothing, or a day and a mode */
export async function loadDaily(params) {
  const [day, mode] = params;
  if (day && mode) {
    set({ daily: null });
    const path = `/daily/${encodeURIComponent(day)}/${encodeURIComponent(mode)}`;
    const use = (/** @type {Daily} */ daily) => {
      set({ daily });
      return daily.par.pending;
    };
    await api.poll(() => api.read(path), use, { wait: 2500, most: 2500 });
  } else if (day) {
    set({ lost: "A daily board has a day and a mode in its address." });
  } else {
    await api.poll(
      () => api.read("/daily?count=14"),
      (archive) => set({ archive }),
    );
  }
}

async function more() {
  const { archive } = get();
  const last = archive?.at(-1)?.day;
  const older = await api.attempt(() => api.read(`/daily?count=28&before=${last}`));
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
  return h(
    "div",
    { class: "page", key: "archive" },
    h(
      "section",
      { class: "hero" },
      h("h1", null, "Daily boards"),
      h("p", null, `One board a day in every mode, the same for everyone. New ones in ${untilTomorrow()}.`),
    ),
    h(
      "div",
      { class: "days" },
      archive?.map((d, i) =>
        h(
          "section",
          { class: i === 0 ? "card day today" : "card day", key: d.day },
          h("h2", null, i === 0 ? "Today" : dayName(d.day), h("small", null, `${d.size} × ${d.size}`)),
          h(
            "div",
            { class: "chips four" },
            about?.modes.map((m) => dayLink(d.day, m.name, d.played[m.name], i === 0)),
          ),
        ),
      ),
    ),
    last && last > (about?.first_day ?? "") && h("div", { class: "controls wide" }, button("", "Older boards", more)),
  );
}

/** @param {State} state @param {string} day @param {string} mode */
function oneDay(state, day, mode) {
  const { daily } = state;
  return h(
    "div",
    { class: "page one-day", key: "day" },
    h(
      "section",
      { class: "hero" },
      h("h1", null, capital(mode), h("small", null, dayName(day))),
      h("p", { id: "goal" }, task(state, mode)),
      shortLegend(state),
    ),
    daily
      ? h(
          "div",
          { class: "columns" },
          h(
            "div",
            { class: "stack" },
            h(
              "div",
              { class: "frame preview" },
              board(state, daily.status, daily.height, daily.width, { id: "day-board", label: `The board of ${day}` }),
            ),
            h(
              "div",
              { class: "controls wide play-day" },
              playButtons(daily, day, mode),
              !daily.mine?.done && h("span", { class: "small" }, "Your first attempt counts."),
            ),
          ),
          h(
            "div",
            { class: "stack" },
            everybody(state, daily),
            h(
              "div",
              { class: "controls wide" },
              state.about?.modes
                .filter((m) => m.name !== mode)
                .map((m) => link(`daily/${day}/${m.name}`, capital(m.name), { class: "button", key: m.name })),
              link("daily", "All days", { class: "button", key: "all" }),
            ),
          ),
        )
      : h("p", { class: "empty" }, "One moment …"),
  );
}

/** @param {Daily} daily @param {string} day @param {string} mode */
function playButtons({ mine }, day, mode) {
  const again = () => newGame({ kind: "daily", mode, day });
  if (!mine) return button("play", "Play", again, { class: "primary", id: "play-daily" });
  if (!mine.done)
    return button("play", `Go on: ${count(mine.moves, "move")} so far`, () => go(`game/${mine.game}`), {
      class: "primary",
      id: "play-daily",
    });
  return [
    link(`game/${mine.game}`, "Your game", { class: "button primary", key: "mine" }),
    button("restart", "Practise", again, { id: "play-daily" }),
  ];
}

/** @param {State} state @param {Daily} daily */
function everybody(state, daily) {
  const { honest, distribution, par, mine, helped } = daily;
  const found =
    par.value === null
      ? 0
      : Object.entries(distribution)
          .filter(([m]) => Number(m) <= (par.value ?? 0))
          .reduce((sum, [, n]) => sum + n, 0);
  return h(
    "section",
    { class: "card", id: "everybody" },
    h("h2", null, "How everybody did", h("small", null, parText(par))),
    honest
      ? [
          h(
            "p",
            { class: "found", id: "found" },
            h("b", null, `${Math.round((100 * found) / honest)} %`),
            ` found par, of ${count(honest, "player")}.`,
          ),
          bars(daily),
          table(daily.entries),
        ]
      : h("p", null, "Nobody has finished this board yet. Be the first."),
    helped > 0 && h("p", { class: "small", id: "helped" }, `${count(helped, "player")} more finished it with help.`),
    mine?.done && mine.helped && h("p", { class: "small" }, "Your first attempt had help, so it is not in the table."),
    !state.me.consented &&
      h(
        "p",
        { class: "small" },
        "To appear here, ",
        h(
          "button",
          { type: "button", class: "text", onclick: () => set({ dialog: "consent" }) },
          "let the server remember you",
        ),
        ".",
      ),
  );
}

/** How many players needed how many moves. @param {Daily} daily */
function bars({ distribution, par, mine }) {
  const needed = Object.keys(distribution).map(Number);
  const [low, high] = [Math.min(par.value ?? Infinity, ...needed), Math.max(...needed)];
  const most = Math.max(...Object.values(distribution));
  return h(
    "ul",
    { class: "bars", "aria-label": "Moves" },
    Array.from({ length: Math.min(high - low + 1, 30) }, (_, i) => low + i).map((m) =>
      h(
        "li",
        { key: m, class: mine?.done && !mine.helped && mine.moves === m ? "mine" : "" },
        h("span", null, m === par.value ? `par ${m}` : m),
        h("i", {
          style: { "--share": String((distribution[m] ?? 0) / most) },
          class: m <= (par.value ?? -1) ? "good" : "",
        }),
        h("b", null, distribution[m] || ""),
      ),
    ),
  );
}

/** @param {import("../types.js").Entry[]} entries */
const table = (entries) =>
  h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": "Players" },
    h(
      "table",
      null,
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          ["", "Name", "Moves", "Undos"].map((t) =>
            h("th", { scope: "col" }, t || h("span", { class: "sr-only" }, "Rank")),
          ),
        ),
      ),
      h(
        "tbody",
        null,
        entries.map((e) =>
          h(
            "tr",
            { class: e.mine ? "mine" : "" },
            [e.rank, e.mine ? `${e.name} (you)` : e.name, e.moves, e.undos].map((v) => h("td", null, v)),
          ),
        ),
      ),
    ),
  );
