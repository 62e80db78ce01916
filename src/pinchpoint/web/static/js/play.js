// What the player does to a game. An attack is painted at once and sent in its turn; the server decides
// what comes of it. Nothing here knows the rules.

import * as api from "./api.js";
import { kindOf, rivalOf } from "./kinds.js";
import { get, go, notify, say, set, setSettings } from "./state.js";
import { count, parText, place, STATES } from "./words.js";

/** @typedef {import("./types.js").Game} Game */
/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Action} Action */

const WAVE = 38; // ms from one ring of squares to the next, when a piece is cut off
const SILENCE = 2000; // ms without an answer after which the page says so
const PATIENCE = 4000; // ms after which the same action is sent again, which is harmless
const CUT = 1500; // ms that the cut is shown at the end
let thinkingSince = performance.now();
let parTimer = 0;
/** The states of all squares after each line of moves that was seen in this game. @type {Map<string, string>} */
let seen = new Map();

/** @param {number} ms */
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export function thinkTime() {
  return Math.min(Math.round(performance.now() - thinkingSince), 86_400_000);
}

/** Make a game on a board and put it on the page. @param {Record<string, any>} board @param {string} [rival] */
export async function createGame(board, rival) {
  const game = /** @type {Game|null} */ (
    await api.attempt(() => api.post("/games", { board, ...(rival ? { rival } : {}) }))
  );
  if (game) {
    show(game);
    say(`New ${game.mode} board, ${game.height} by ${game.width}. ${howMany(game.status)}`);
  }
  return game;
}

/** Make a game and go to it; with `replace`, Back does not return to where it was made.
 * @param {Record<string, any>} board @param {{replace?: boolean, rival?: string}} [how] */
export async function newGame(board, how = {}) {
  const game = await createGame(board, how.rival);
  if (game) go(`game/${game.id}`, how.replace);
  return game;
}

/** Go where a kind of game leads. @param {import("./kinds.js").Target} to */
export const follow = (to) => (to.board ? newGame(to.board, { rival: to.rival }) : go(to.path ?? ""));

/** Open a game by its id, as after a reload. @param {string} id */
export async function openGame(id) {
  if (get().game?.id === id) return;
  set({ game: null });
  try {
    show(await api.read(`/games/${encodeURIComponent(id)}`));
  } catch (error) {
    set({ lost: error instanceof api.Refused ? error.message : "" });
  }
}

/** Put a game on the page as new. @param {Game} game */
export function show(game) {
  seen = new Map([[game.moves.join(), game.status]]);
  set({
    game,
    par: kindOf(game).par,
    queue: [],
    reconnecting: false,
    finale: "",
    cursor: Math.max(game.status.indexOf("1"), 0),
    delays: new Map(),
    zoom: 1,
    heat: null,
    hint: null,
    watch: null,
    agentRunning: false,
    rival: null,
    outlook: null,
    lookAt: null,
    analysis: null,
    analysisAt: 0,
    replaying: false,
  });
  thinkingSince = performance.now();
  clearTimeout(parTimer);
  if (!kindOf(game).par) followPar(game.id);
  if (rivalOf(game)) followRival(game.id);
}

/** Ask for par until it is final; each time a little later. @param {string} id */
function followPar(id, wait = 400) {
  clearTimeout(parTimer);
  api
    .read(`/games/${id}/par`)
    .then((par) => {
      if (get().game?.id !== id) return;
      set({ par });
      if (par.pending) parTimer = window.setTimeout(() => followPar(id, Math.min(wait * 1.5, 4000)), wait);
    })
    .catch(() => {
      if (get().game?.id === id) parTimer = window.setTimeout(() => followPar(id, 5000), 5000);
    });
}

/** The states of all squares before the first move, as far as this page has seen them. @param {Game} game */
export const startOf = (game) => seen.get("") ?? game.status.replace(/[23]/g, "1");

let rivalTimer = 0;
let rivalAsked = 0;

/** What the rival has done so far: as many moves as the player. Asked again until that is so, also after a failure.
 * @param {string} id @param {number} [wait] */
async function followRival(id, wait = 400) {
  clearTimeout(rivalTimer);
  const asked = ++rivalAsked;
  const over = get().game?.done ?? false;
  try {
    const rival = await api.read(`/games/${id}/rival`);
    const { game } = get();
    if (game?.id !== id || asked !== rivalAsked) return; // an older answer must not come after a newer one
    set({ rival: { ...rival, gaveUp: over && rival.total === null } });
    if (over || rival.film.done || rival.film.frames.length >= game.ply) return; // after a move, more is asked
  } catch {
    if (get().game?.id !== id || asked !== rivalAsked) return;
  }
  rivalTimer = window.setTimeout(() => followRival(id, Math.min(wait * 1.5, 4000)), wait);
}

// -- what the board shows: the last answer, and the actions since -----------------------------------

/** @param {State} state @returns {{status: string, moves: number[]}} */
export function shown(state) {
  const { game, queue } = state;
  if (!game) return { status: "", moves: [] };
  let { status, moves } = game;
  for (const action of queue) {
    if (action.kind === "moves") {
      moves = [...moves, action.square];
      status = seen.get(moves.join()) ?? `${status.slice(0, action.square)}3${status.slice(action.square + 1)}`;
    } else if (action.kind !== "redo") {
      moves = action.kind === "undo" ? moves.slice(0, -1) : [];
      status = seen.get(moves.join()) ?? status;
    }
  }
  return { status, moves };
}

/** Whether there is a move to redo, also before the server has answered an undo. @param {State} state */
export function canRedo(state) {
  const last = state.queue.at(-1)?.kind;
  return last ? last === "undo" || last === "restart" : (state.game?.can_redo ?? false);
}

/** @param {number} square */
export function attack(square) {
  const state = get();
  const { game, watch, agentRunning } = state;
  if (!game || watch || agentRunning || game.done) return;
  set({ cursor: square });
  if (!game.yours) return notify("This is another player's game. You can look, and play the board yourself.");
  const { status } = shown(state);
  if (status[square] !== "1") return nudge(square, `${STATES[Number(status[square])]}`);
  if (state.settings.vibration && !calm()) navigator.vibrate?.(12);
  sound("hit");
  enqueue({ kind: "moves", square, think_ms: thinkTime() });
  thinkingSince = performance.now();
}

/** Say that nothing happens there, and why. @param {number} square @param {string} is */
function nudge(square, is) {
  const { game } = get();
  set({ nudged: square });
  setTimeout(() => get().nudged === square && set({ nudged: null }), 400);
  if (!game) return;
  notify(`That square is ${is}. Only active squares can be attacked.`);
  say(`${place(square, game.width)} is ${is}; only active squares can be attacked.`);
}

export const undo = () => step("undo");
export const redo = () => step("redo");
export const restart = () => step("restart");

/** @param {"undo"|"redo"|"restart"} kind */
function step(kind) {
  const { game, watch } = get();
  if (game && !watch && !game.done && game.yours) enqueue({ kind, think_ms: thinkTime() });
}

// -- sending: one action after the other, each until it is answered ---------------------------------

let sending = false;

/** @param {Action} action */
function enqueue(action) {
  set({ queue: [...get().queue, action], heat: null, hint: null, outlook: null, lookAt: null, delays: new Map() });
  send();
}

async function send() {
  if (sending) return;
  sending = true;
  let wait = 400;
  while (get().queue.length) {
    const {
      game,
      queue: [action],
    } = get();
    if (!game) break;
    const silence = setTimeout(() => set({ reconnecting: true }), SILENCE);
    const result = await sendOne(game, action);
    clearTimeout(silence);
    if (get().game?.id !== game.id) continue; // another game has been opened; its queue is new
    if (result === "again") {
      await pause(wait);
      wait = Math.min(wait * 1.5, 4000);
      continue;
    }
    wait = 400;
    set({ reconnecting: false, queue: result === "stale" ? [] : get().queue.slice(1) });
    if (result === "stale") await refresh(game.id);
    else if (result) accept(game, result);
  }
  sending = false;
}

/** The answer, null if it was refused, or what to do instead.
 * @param {Game} game @param {Action} action @returns {Promise<Game|"again"|"stale"|null>} */
async function sendOne(game, action) {
  const { kind, ...rest } = action;
  const body = { turn: game.turn, ...rest, ...(kind === "moves" ? { ply: game.ply } : {}) };
  try {
    return await api.post(`/games/${game.id}/${kind}`, body, PATIENCE);
  } catch (error) {
    if (!(error instanceof api.Refused)) throw error;
    if (error.status === 429) return "again";
    if (error.status === 0 || error.status >= 500) {
      if (error.status >= 500) set({ reconnecting: true });
      return "again";
    }
    // An attack that was clicked before the last answer may have become pointless meanwhile.
    if (error.status === 422 && action.kind === "moves") notify("That square had been cut off already.");
    else notify(error.message, true);
    return error.status === 422 ? null : "stale";
  }
}

/** After a refusal: what does the server have? @param {string} id */
async function refresh(id) {
  try {
    const game = await api.read(`/games/${id}`);
    if (get().game?.id === id) set({ game, heat: null, hint: null });
  } catch {
    // the notice says already that something is wrong
  }
}

/** Show what came of an action. @param {Game} before @param {Game} after */
export function accept(before, after) {
  const attacked = after.ply > before.ply ? after.moves[after.ply - 1] : null;
  seen.set(after.moves.join(), after.status);
  const delays = wave(before.status, after.status, attacked, after.width);
  set({ game: after, delays, heat: null, hint: null, outlook: null, lookAt: null });
  thinkingSince = performance.now();
  say(whatHappened(before, after, attacked));
  if (delays.size > 1) sound("crumble");
  if (rivalOf(after) && attacked !== null) followRival(after.id);
  if (after.done) end(after, delays);
}

/** @param {Game} before @param {Game} after @param {number|null} attacked */
function whatHappened(before, after, attacked) {
  if (after.ply < before.ply) return `Taken back. ${count(after.ply, "move")} on the board. ${howMany(after.status)}`;
  if (attacked === null) return "";
  const lost = [...after.status].filter((s, i) => s === "2" && before.status[i] === "1").length;
  const cut = lost ? `${count(lost, "square was", "squares were")} cut off.` : "Nothing was cut off.";
  const here = `Attacked ${place(attacked, after.width)}. ${cut}`;
  if (!after.done) return `${here} ${howMany(after.status)}`;
  return `${here} The game is over after ${count(after.ply, "move")}; ${parText(get().par)}.`;
}

/** @param {string} status */
const howMany = (status) => `${count([...status].filter((s) => s === "1").length, "active square")}.`;

/** @param {"hit"|"crumble"|"par"} name */
function sound(name) {
  if (get().settings.sound && !calm()) import("./sound.js").then((sounds) => sounds.play(name));
}

// -- the end: the wave runs out, the cut is drawn, the moves are counted, then comes the analysis ------

/** @param {Game} game @param {Map<number, number>} delays */
async function end(game, delays) {
  const still = calm();
  const here = () => get().game?.id === game.id && get().finale !== "";
  keepScore(game);
  set({ finale: "wave", counted: 0 });
  await pause(still ? 50 : Math.max(0, ...delays.values()) + 320);
  if (!here()) return;
  set({ finale: "cut" });
  const { par } = get();
  if (par?.value != null && game.ply <= par.value && !game.agent_moves) sound("par");
  for (let n = 1; n <= game.ply && here(); n++) {
    set({ counted: n });
    await pause(still ? 0 : Math.min(140, 600 / game.ply));
  }
  await pause(still ? 200 : CUT - Math.min(140 * game.ply, 600));
  if (here()) set({ finale: "", counted: game.ply });
}

/** What the browser remembers of finished games: the stars of the campaign, and who won a race. @param {Game} game */
function keepScore(game) {
  const { settings } = get();
  setSettings({ finished: settings.finished + 1, ...kindOf(game).score(settings) });
}

/**
 * When each changed square is to change its colour: in rings around the cut.
 * @param {string} before @param {string} after @param {number|null} from @param {number} width
 */
export function wave(before, after, from, width) {
  /** @type {Map<number, number>} */
  const delays = new Map();
  if (from === null) return delays;
  let ring = [from];
  const reached = new Set(ring);
  const changed = (/** @type {number} */ s) => before[s] !== after[s];
  for (let distance = 1; ring.length; distance++) {
    /** @type {number[]} */
    const next = [];
    for (const square of ring) {
      for (const s of around(square, width, after.length)) {
        if (reached.has(s) || !changed(s)) continue;
        reached.add(s);
        next.push(s);
        delays.set(s, Math.min(distance * WAVE, 900));
      }
    }
    ring = next;
  }
  // A piece may lose its colour without touching the cut, as when it is no longer the largest.
  for (let s = 0; s < after.length; s++) if (changed(s) && !reached.has(s)) delays.set(s, 200);
  return delays;
}

/** The squares that share a side with this one. @param {number} square @param {number} width @param {number} squares */
export function around(square, width, squares) {
  const col = square % width;
  const found = [square - width, square + width];
  if (col > 0) found.push(square - 1);
  if (col < width - 1) found.push(square + 1);
  return found.filter((s) => s >= 0 && s < squares);
}
