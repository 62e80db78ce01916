// The game: the board, the score against par, the rival, and help.

import { h } from "../../vendor/preact.js";
import {
  adviser,
  characters,
  chooseAdviser,
  filmStatus,
  hasHeat,
  heat,
  hint,
  letAgentGoOn,
  fetchOutlook,
  may,
  seek,
  stopWatching,
  toggleWatch,
  watch,
} from "../advice.js";
import { board, focusSquare, legend, shortLegend } from "../board.js";
import { ending, goalOverlay, left } from "../goal.js";
import { kindOf, rivalOf } from "../kinds.js";
import { button, face, icon, link, result, slider } from "../parts.js";
import { canRedo, createGame, follow, leave, newGame, openGame, redo, restart, shown, undo } from "../session.js";
import { get, go, set, setSettings } from "../state.js";
import { capital, optionsText, parText, tally, task } from "../words.js";
import { after } from "./after.js";
import { rivalBoard } from "./race.js";
import { zoomable } from "./zoom.js";

/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").Game} Game */

/** @param {string[]} params */
export async function loadGame([id]) {
  await openGame(id);
  arrived();
}

/** A board by its link: Back leads to where the visitor came from. @param {string[]} params */
export async function loadLink([code]) {
  leave();
  const lost = "This link does not hold a board. It may have been cut short or changed.";
  await createGame({ kind: "link", code }, () => set({ lost }));
  const { game, route } = get();
  if (game && route.name === "board") go(`game/${game.id}`, true);
}

/** The cursor is on the board, so that the arrow keys work at once. */
function arrived() {
  requestAnimationFrame(() => {
    const { game, cursor, dialog } = get();
    if (game && !game.done && !dialog && (document.activeElement === document.body || document.activeElement === null))
      focusSquare(cursor, false);
  });
}

/** @param {State} state */
export function gameView(state) {
  const { game } = state;
  if (!game) return h("p", { class: "empty" }, "One moment …");
  if (game.done && state.analysis && state.finale === "") return after(state, game);
  return h(
    "div",
    { class: `page play${rivalOf(game) ? " racing" : ""}`, key: "game" },
    h("div", { class: "table" }, heading(state, game), zoomable(state, theBoard(state, game)), finale(state, game)),
    h(
      "aside",
      { class: "side" },
      score(state, game),
      rivalOf(game) ? rivalBoard(state, game) : null,
      game.yours ? controls(state, game) : readOnly(game),
      state.watch ? watchBar(state) : help(state, game),
      h(
        "details",
        { class: "card" },
        h("summary", null, "Colours and keys"),
        legend(state),
        h(
          "p",
          { class: "small" },
          "Squares join by their sides, not by their corners. Arrow keys move, space attacks, U takes " +
            "back, R plays again, H asks for a hint, M shows the map.",
        ),
      ),
    ),
  );
}

/** @param {State} state @param {Game} game */
function heading(state, game) {
  return h(
    "div",
    { class: "heading" },
    h(
      "h1",
      null,
      capital(game.mode),
      h(
        "small",
        null,
        [`${game.height} × ${game.width}`, optionsText(game.options), kindOf(game).heading].filter(Boolean).join(" · "),
      ),
    ),
    h("p", { id: "goal" }, task(state, game.mode, game.options)),
    state.settings.finished === 0 && shortLegend(state),
  );
}

/** @param {State} state @param {Game} game */
function theBoard(state, game) {
  const { watch: watched } = state;
  if (watched) {
    const newest = watched.at ? watched.film.frames[watched.at - 1].square : (game.moves.at(-1) ?? null);
    return board(state, filmStatus(watched.film, watched.at), game.height, game.width, {
      id: "watch-board",
      label: `${watched.agent} goes on`,
      newest,
    });
  }
  const { status, moves } = shown(state);
  const ended = game.done && state.finale !== "wave";
  const doomed = state.outlook && state.pointed !== null ? new Set(state.outlook.cuts[state.pointed] ?? []) : null;
  return board(state, status, game.height, game.width, {
    id: "game-board",
    label: `${capital(game.mode)} board`,
    playable: !game.done && game.yours,
    class: state.finale,
    newest: moves.at(-1) ?? null,
    hint: state.hint?.square ?? null,
    heat: state.heat,
    delays: state.delays,
    doomed,
    ...(ended ? ending(game) : { over: goalOverlay(game, status) }),
  });
}

/** The last second of a game: what it took. @param {State} state @param {Game} game */
function finale(state, game) {
  if (!game.done || state.finale === "wave") return null;
  return h("div", { class: "finale", key: "finale", role: "status" }, result(state, game));
}

/** @param {State} state @param {Game} game */
function score(state, game) {
  const { par } = state;
  const { status, moves } = shown(state);
  const over = par?.value != null && moves.length > par.value;
  return h(
    "section",
    { class: "card score", "aria-label": "Score" },
    h(
      "div",
      { class: "numbers" },
      h(
        "div",
        { class: over ? "number over" : "number" },
        h("b", { id: "moves" }, moves.length),
        h("span", null, moves.length === 1 ? "move" : "moves"),
      ),
      h(
        "div",
        { class: "number par" },
        h("b", { id: "par" }, par?.value ?? "–"),
        h(
          "span",
          null,
          par?.value == null ? parText(par) : par.proven ? "par, proven" : "best known",
          par?.proven && icon("check"),
        ),
      ),
    ),
    h("div", { id: "progress" }, left(state, game, status)),
    h("p", { class: "small counts", id: "counts" }, tally(game)),
  );
}

/** @param {State} state @param {Game} game */
function controls(state, game) {
  const waits = state.busy || state.watch !== null || state.agentRunning;
  const moves = shown(state).moves.length;
  const { another, help: helped } = kindOf(game);
  if (!helped) {
    return h(
      "div",
      { class: "controls" },
      button("restart", "Rematch", () => follow(another), { id: "rematch" }),
      link("race", [icon("swords"), h("span", null, "Another rival")], { class: "button" }),
    );
  }
  return h(
    "div",
    { class: "controls" },
    button("undo", "Undo", undo, { disabled: waits || !moves || game.done, id: "undo" }),
    button("redo", "Redo", redo, { disabled: waits || !canRedo(state), id: "redo" }),
    button("restart", "Restart", restart, { disabled: waits || !moves || game.done, id: "restart" }),
    button("plus", "New", () => follow(another), { id: "new" }),
  );
}

/** A game that belongs to another browser. @param {Game} game */
const readOnly = (game) =>
  h(
    "section",
    { class: "card", id: "read-only" },
    h("p", null, "You are looking at another player's game."),
    button("play", "Play this board yourself", () => newGame({ kind: "link", code: game.code }), {
      class: "primary",
      id: "play-myself",
    }),
  );

/** @param {State} state @param {Game} game */
function help(state, game) {
  const who = adviser(state);
  if (!who || game.done || !game.yours || !kindOf(game).help || !game.allowed.length) return null;
  const waits = state.busy || state.watch !== null || state.queue.length > 0;
  const stop = state.agentRunning;
  const { warning } = kindOf(game);
  return h(
    "section",
    { class: "card help", "aria-label": "Help" },
    h(
      "div",
      { class: "cast", role: "radiogroup", "aria-label": "Ask" },
      characters(state).map((c) =>
        h(
          "button",
          {
            type: "button",
            role: "radio",
            key: c.name,
            id: `ask-${c.name}`,
            "aria-checked": String(c.name === who.name),
            title: c.about,
            onclick: () => chooseAdviser(c.name),
          },
          face(c.face),
          h("span", null, c.title),
        ),
      ),
    ),
    h("p", { class: "small", id: "who" }, who.about),
    warning && h("p", { class: "small warn" }, warning),
    h(
      "div",
      { class: "controls" },
      may(game, "hint") &&
        button("bulb", "Hint", hint, { disabled: waits || stop, id: "hint", title: "One good square" }),
      may(game, "hint") &&
        button("map", "Map", heat, {
          disabled: waits || stop || !hasHeat(state),
          pressed: state.heat !== null,
          id: "heat",
          title: hasHeat(state) ? "How good every square is" : `${who.title} only knows its best square`,
        }),
      may(game, "takeover") &&
        button("eye", "Watch", watch, {
          disabled: waits || stop,
          id: "watch",
          title: "See it played; your game waits",
        }),
      may(game, "takeover") &&
        button(stop ? "pause" : "robot", stop ? "Stop" : "Take over", letAgentGoOn, {
          disabled: !stop && waits,
          id: "agent",
          title: "Let it play your game",
        }),
    ),
    may(game, "hint") &&
      h(
        "label",
        { class: "switch small" },
        h("input", {
          type: "checkbox",
          id: "preview",
          checked: state.settings.preview,
          onchange: (/** @type {any} */ e) => {
            setSettings({ preview: e.target.checked });
            fetchOutlook();
          },
        }),
        "Show what an attack would cut off",
      ),
    state.heat &&
      h("p", { class: "small scale" }, h("i", { class: "ramp" }), `at best ${toGo(state.heat.values)} moves to go`),
  );
}

/** What the best square promises. @param {(number|null)[]} values */
const toGo = (values) => Math.abs(Math.max(.../** @type {number[]} */ (values.filter((v) => v !== null)))).toFixed(1);

/** @param {State} state */
function watchBar(state) {
  const { watch: watched, settings } = state;
  if (!watched) return null;
  const last = watched.film.frames.length;
  return h(
    "section",
    { class: "card watch-bar", "aria-label": "Watching", key: "watch" },
    h(
      "p",
      null,
      h("strong", null, watched.agent),
      ` plays on from here: move ${watched.at} of ${last}. Your game waits.`,
    ),
    h(
      "div",
      { class: "controls" },
      button("back", "Back", () => seek(watched.at - 1), { disabled: watched.at === 0 }),
      button(watched.running ? "pause" : "play", watched.running ? "Pause" : "Play", toggleWatch),
      button("next", "Step", () => seek(watched.at + 1), { disabled: watched.at >= last, id: "step" }),
      button("close", "Return", stopWatching, { class: "primary", id: "return" }),
    ),
    slider("Speed", settings.speed, 1, 15, 1, (speed) => setSettings({ speed }), `${settings.speed} moves a second`),
  );
}

/** Keys that work wherever the focus is. @param {KeyboardEvent} event */
function gameKeys(event) {
  const state = get();
  const target = /** @type {Element} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input:not([type=checkbox]), textarea, select"))
    return;
  const { game, route } = state;
  if (!game || game.done || state.dialog || route.name !== "game" || !kindOf(game).help) return;
  const key = event.key.toLowerCase();
  if (state.watch) {
    if (event.key === "Escape") stopWatching();
    return;
  }
  if (key === "u" && shown(state).moves.length) undo();
  else if (key === "r" && canRedo(state)) redo();
  else if (key === "h" && may(game, "hint")) hint();
  else if (key === "m" && may(game, "hint") && hasHeat(state)) heat();
  else if (key === "escape") set({ heat: null, hint: null });
}
document.addEventListener("keydown", gameKeys);
