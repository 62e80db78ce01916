// The game: the board, the score against par, and help.

import {
  adviser, agents, chooseAdviser, filmStatus, hasHeat, heat, hint, letAgentGoOn, seek, stopWatching,
  toggleWatch, watch,
} from "../advice.js";
import { board, legend } from "../board.js";
import { icon } from "../icons.js";
import { newGame, redo, restart, undo } from "../play.js";
import { go } from "../router.js";
import { set, setSettings } from "../store.js";
import { h } from "../vdom.js";
import { capital, colour, count, goal, optionsText, parText, verdict } from "../words.js";
import { after } from "./after.js";
import { button, select, slider } from "./parts.js";
import { zoomable } from "./zoom.js";

/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").Game} Game */

/** @param {State} state */
export function gameView(state) {
  const { game } = state;
  if (!game) return h("p", { class: "empty" }, "One moment …");
  if (game.done && state.analysis) return after(state, game);
  return h("div", { class: "page play", key: "game" },
    h("div", { class: "table" }, heading(state, game), zoomable(state, theBoard(state, game))),
    h("aside", { class: "side" }, score(state, game), controls(state, game), state.watch ? watchBar(state) : help(state, game),
      h("details", { class: "card" }, h("summary", null, "Colours and keys"), legend(state),
        h("p", { class: "small" }, "Arrow keys move, space attacks, U takes back, R plays again, H asks for a hint, M shows the map."))));
}

/** @param {State} state @param {Game} game */
function heading(state, game) {
  const { origin } = game;
  const from = origin.kind === "daily" ? `daily board of ${origin.day}`
    : origin.kind === "room" ? `room ${origin.room}, board ${origin.number + 1}`
      : origin.kind === "random" ? `p = ${origin.p}, seed ${origin.seed}` : "from a link or text";
  return h("div", { class: "heading" }, h("h1", null, capital(game.mode),
    h("small", null, [`${game.height} × ${game.width}`, optionsText(game.options), from].filter(Boolean).join(" · "))),
  h("p", null, goal(state, game.mode, game.options)));
}

/** How far it is to the end. @param {State} state @param {Game} game */
function progress(state, game) {
  const active = [...game.status].filter((s) => s === "1").length;
  return [`${active} ${colour(state, 1)}`,
    game.mode === "network" ? `largest piece cut off: ${game.best}` : "",
    game.mode === "shatter" ? `pieces of up to ${game.best} are small enough` : ""].filter(Boolean).join(" · ");
}

/** @param {State} state @param {Game} game */
function theBoard(state, game) {
  const { watch } = state;
  if (watch) {
    const newest = watch.at ? watch.film.frames[watch.at - 1].square : game.moves.at(-1) ?? null;
    return board(state, filmStatus(watch.film, watch.at), game.height, game.width,
      { id: "watch-board", label: `${watch.agent} goes on`, newest });
  }
  return board(state, game.status, game.height, game.width, {
    id: "game-board", label: `${capital(game.mode)} board`, playable: !game.done,
    newest: game.moves.at(-1) ?? null, hint: state.hint?.square ?? null, heat: state.heat, delays: state.delays,
  });
}

/** @param {State} state @param {Game} game */
function score(state, game) {
  const { par } = state;
  const over = par?.value != null && game.ply > par.value;
  return h("section", { class: "card score", "aria-label": "Score" },
    h("div", { class: "numbers" },
      h("div", { class: over ? "number over" : "number" }, h("b", { id: "moves" }, game.ply), h("span", null, "moves")),
      h("div", { class: "number par" }, h("b", { id: "par" }, par?.value ?? "–"),
        h("span", null, par?.value == null ? `par ${parText(par)}` : par.proven ? "par, proven" : "best known",
          par?.proven && icon("check")))),
    game.done ? h("p", { class: "verdict" }, verdict(game.ply, par)) : h("p", { id: "progress" }, progress(state, game)),
    h("p", { class: "small counts", id: "counts" }, [
      count(game.hints, "hint"), count(game.peeks, "peek"), count(game.undos, "undo"),
      game.agent_moves ? `${count(game.agent_moves, "move")} by agents` : "",
    ].filter(Boolean).join(" · ")));
}

/** @param {State} state @param {Game} game */
function controls(state, game) {
  const waits = state.busy || state.watch !== null || state.agentRunning;
  return h("div", { class: "controls" },
    button("undo", "Undo", undo, { disabled: waits || !game.can_undo, id: "undo" }),
    button("redo", "Redo", redo, { disabled: waits || !game.can_redo, id: "redo" }),
    game.done ? button("restart", "Again", () => newGame({ kind: "again", game: game.id }), { id: "again" })
      : button("restart", "Restart", restart, { disabled: waits || !game.can_undo, id: "restart" }),
    button("plus", "New", () => again(game), { id: "new" }));
}

/** Another board of the same kind. @param {Game} game */
export function again(game) {
  const { origin } = game;
  if (origin.kind === "room") return go(`class/${origin.room}`);
  if (origin.kind === "daily") return go("daily");
  if (origin.kind !== "random") return go("");
  return newGame({
    kind: "random", mode: game.mode, options: game.options, height: game.height, width: game.width, p: origin.p,
  });
}

/** @param {State} state @param {Game} game */
function help(state, game) {
  const who = adviser(state);
  if (!who || game.done) return null;
  const waits = state.busy || state.watch !== null;
  const stop = state.agentRunning;
  /** @type {Record<string, string>} */
  const kinds = { learned: "learned", solver: "exact", baseline: "simple rule" };
  return h("section", { class: "card help", "aria-label": "Help" },
    h("label", { class: "field" }, h("span", { class: "field-label" }, "Ask"),
      select(who.name, agents(state).map((a) => [a.name, `${a.name} (${kinds[a.kind]})`]), chooseAdviser,
        { id: "adviser", title: who.about })),
    h("p", { class: "small" }, `${capital(who.about)}.`),
    h("div", { class: "controls" },
      button("bulb", "Hint", hint, { disabled: waits || stop, id: "hint", title: "One good square" }),
      button("map", "Map", heat, {
        disabled: waits || stop || !hasHeat(state), pressed: state.heat !== null, id: "heat",
        title: hasHeat(state) ? "How good every square is" : `${who.name} only knows its best square`,
      }),
      button("eye", "Watch", watch, { disabled: waits || stop, id: "watch", title: "See it played; your game waits" }),
      button(stop ? "pause" : "robot", stop ? "Stop" : "Take over", letAgentGoOn,
        { disabled: !stop && waits, id: "agent", title: "Let it play your game" })),
    state.heat && h("p", { class: "small scale" }, h("i", { class: "ramp" }),
      `at best ${toGo(state.heat.values)} moves to go`));
}

/** What the best square promises. @param {(number|null)[]} values */
const toGo = (values) => Math.abs(Math.max(.../** @type {number[]} */ (values.filter((v) => v !== null)))).toFixed(1);

/** @param {State} state */
function watchBar(state) {
  const { watch: shown, settings } = state;
  if (!shown) return null;
  const last = shown.film.frames.length;
  return h("section", { class: "card watch-bar", "aria-label": "Watching", key: "watch" },
    h("p", null, h("strong", null, shown.agent), ` plays on from here: move ${shown.at} of ${last}. Your game waits.`),
    h("div", { class: "controls" },
      button("back", "Back", () => seek(shown.at - 1), { disabled: shown.at === 0 }),
      button(shown.running ? "pause" : "play", shown.running ? "Pause" : "Play", toggleWatch),
      button("next", "Step", () => seek(shown.at + 1), { disabled: shown.at >= last, id: "step" }),
      button("close", "Return", stopWatching, { class: "primary", id: "return" })),
    slider("Speed", settings.speed, 1, 15, 1, (speed) => setSettings({ speed }), `${settings.speed} moves a second`));
}

/** Keys that work wherever the focus is. @param {KeyboardEvent} event @param {State} state */
export function gameKeys(event, state) {
  const target = /** @type {Element} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, textarea, select")) return;
  if (!state.game || state.route.name !== "game" || state.dialog) return;
  const key = event.key.toLowerCase();
  if (state.watch) {
    if (event.key === "Escape") stopWatching();
    return;
  }
  if (key === "u" && state.game.can_undo) undo();
  else if (key === "r" && state.game.can_redo) redo();
  else if (key === "h") hint();
  else if (key === "m" && hasHeat(state)) heat();
  else if (key === "escape") set({ heat: null, hint: null });
}
