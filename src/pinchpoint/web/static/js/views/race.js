// Racing an agent: the same board, one move of the agent for each of the player's.

import { h } from "../../vendor/preact.js";
import { characters, filmStatus } from "../advice.js";
import { board } from "../board.js";
import { rivalOf } from "../kinds.js";
import { face, slider } from "../parts.js";
import { newGame, startOf } from "../session.js";
import { get, set, setSettings } from "../state.js";
import { capital, count } from "../words.js";
import { modeCards, usual } from "./new.js";

/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").Game} Game */

/** @param {Partial<import("../types.js").Setup>} change */
const change = (change) => set({ setup: { ...get().setup, ...change } });

/** @param {State} state @param {string} mode @param {string} name */
export const titleOf = (state, mode, name) =>
  characters(state, mode).find((c) => c.name === name)?.title ?? capital(name);

/** @param {State} state */
export function raceView(state) {
  const { setup } = state;
  if (!state.about) return h("p", { class: "empty" }, "One moment …");
  const cast = characters({ ...state, game: null }, setup.mode);
  const rival = cast.find((c) => c.name === setup.rival) ?? cast.find((c) => c.title === "Network") ?? cast[0];
  return h(
    "div",
    { class: "page", key: "race" },
    h(
      "section",
      { class: "hero" },
      h("h1", null, "Race the agent"),
      h(
        "p",
        null,
        "You and your rival get the same board and take turns, each on your own copy. Whoever needs fewer " +
          "moves wins. No undo, no help.",
      ),
    ),
    modeCards(state, (mode) => change(usual(mode))),
    h(
      "form",
      {
        class: "card",
        onsubmit: (/** @type {Event} */ e) => {
          e.preventDefault();
          begin(rival.name);
        },
      },
      h("h2", null, "Your rival"),
      h(
        "div",
        { class: "cast big", role: "radiogroup", "aria-label": "Your rival" },
        cast.map((c) =>
          h(
            "button",
            {
              type: "button",
              role: "radio",
              key: c.name,
              id: `rival-${c.name}`,
              "aria-checked": String(c.name === rival.name),
              onclick: () => change({ rival: c.name }),
            },
            face(c.face),
            h("span", null, h("strong", null, c.title), h("small", null, c.about)),
          ),
        ),
      ),
      h("p", { class: "chosen-goal" }, rival.about),
      slider(
        "Size",
        setup.height,
        5,
        20,
        1,
        (n) => change({ height: n, width: n }),
        `${setup.height} × ${setup.height}`,
      ),
      h(
        "button",
        { type: "submit", class: "button primary big", id: "start-race" },
        `Race the ${rival.title.toLowerCase()}`,
      ),
    ),
    ladder(state),
  );
}

/** @param {string} rival */
function begin(rival) {
  const { mode, options, height, p } = get().setup;
  return newGame({ kind: "random", mode, options, height, width: height, p }, rival);
}

/** The rival's board, small beside the player's. @param {State} state @param {Game} game */
export function rivalBoard(state, game) {
  const { rival } = state;
  const name = titleOf(state, game.mode, rivalOf(game) ?? "");
  const who = characters(state).find((c) => c.title === name);
  const at = rival?.film.frames.length ?? 0;
  const status = rival ? filmStatus(rival.film, at) : startOf(game);
  const done = rival?.film.done;
  return h(
    "section",
    { class: "card rival", "aria-label": `The board of ${name}` },
    h(
      "h2",
      null,
      face(who?.face ?? "other"),
      name,
      h("small", { id: "rival-moves" }, done ? `done in ${at}` : at < game.ply ? "thinking …" : count(at, "move")),
    ),
    h(
      "div",
      { class: "frame" },
      board(state, status, game.height, game.width, {
        id: "rival-board",
        label: `${name}, after ${at} moves`,
        newest: at ? (rival?.film.frames[at - 1].square ?? null) : null,
      }),
    ),
  );
}

/** "You 5, Network 5, par 4", and the ladder is brought up to date once. @param {State} state @param {Game} game */
export function raceResult(state, game) {
  const { rival, par } = state;
  const total = rival?.total ?? null;
  const name = titleOf(state, game.mode, rivalOf(game) ?? "");
  if (total === null && !rival?.gaveUp) return h("p", { id: "race-result" }, `${name} is still playing …`);
  const won = Math.sign((total ?? Infinity) - game.ply);
  queueMicrotask(() => keep(game, won));
  return h(
    "p",
    { id: "race-result", class: "race-result" },
    h("strong", null, won > 0 ? "You won. " : won < 0 ? `${name} won. ` : "A draw. "),
    `You ${game.ply}, ${name} ${total ?? "gave up"}${par?.value != null ? `, par ${par.value}` : ""}.`,
  );
}

/** Races that are on the ladder already. */
const kept = new Set();

/** @param {Game} game @param {number} won */
function keep(game, won) {
  if (kept.has(game.id) || !game.yours) return;
  kept.add(game.id);
  const { races } = get().settings;
  const key = `${game.mode} ${rivalOf(game)}`;
  setSettings({ races: { ...races, [key]: [...(races[key] ?? []), won].slice(-10) } });
}

/** How many of the last ten races were won against each rival. @param {State} state */
export function ladder(state) {
  const rows = Object.entries(state.settings.races);
  if (!rows.length) return null;
  return h(
    "section",
    { class: "card", id: "ladder" },
    h("h2", null, "Your ladder", h("small", null, "of the last ten races")),
    h(
      "ul",
      { class: "ladder" },
      rows.map(([key, results]) => {
        const [mode, rival] = key.split(" ");
        const wins = results.filter((r) => r > 0).length;
        return h(
          "li",
          { key },
          h("span", null, `${titleOf(state, mode, rival)}, ${mode}`),
          h(
            "span",
            { class: "dots", "aria-hidden": "true" },
            results.map((r) => h("i", { class: r > 0 ? "won" : r < 0 ? "lost" : "drawn" })),
          ),
          h("b", null, `${wins} of ${results.length} won`),
        );
      }),
    ),
  );
}
