// What the player does to a game. The server decides what comes of it; nothing here knows the rules.

import * as api from "./api.js";
import { go } from "./router.js";
import { get, set } from "./store.js";
import { attempt, say } from "./talk.js";
import { count, parText, place, STATES } from "./words.js";

/** @typedef {import("./types.js").Game} Game */

const WAVE = 38; // ms from one ring of squares to the next, when a piece is cut off
let thinkingSince = performance.now();
let parTimer = 0;

export function thinkTime() {
  return Math.min(Math.round(performance.now() - thinkingSince), 86_400_000);
}

/** Make a game on a board and put it on the page. @param {Record<string, any>} board */
export async function createGame(board) {
  const game = /** @type {Game|null} */ (await attempt(() => api.post("/games", { board })));
  if (game) {
    show(game);
    say(`New ${game.mode} board, ${game.height} by ${game.width}. ${howMany(game)}`);
  }
  return game;
}

/** Make a game and go to it. @param {Record<string, any>} board */
export async function newGame(board) {
  const game = await createGame(board);
  if (game) go(`game/${game.id}`);
  return game;
}

/** Open a game by its id, as after a reload. @param {string} id */
export async function openGame(id) {
  if (get().game?.id === id) return;
  const game = await attempt(() => api.read(`/games/${id}`));
  if (game) show(game);
  else go("");
}

/** Put a game on the page as new. @param {Game} game */
export function show(game) {
  const cursor = Math.max(game.status.indexOf("1"), 0);
  set({
    game, par: null, cursor, delays: new Map(), zoom: 1, heat: null, hint: null, watch: null,
    agentRunning: false, analysis: null, analysisAt: 0, replaying: false,
  });
  thinkingSince = performance.now();
  followPar(game.id);
}

/** Ask for par until it is final; each time a little later. @param {string} id */
function followPar(id, wait = 400) {
  clearTimeout(parTimer);
  api.read(`/games/${id}/par`).then((par) => {
    if (get().game?.id !== id) return;
    set({ par });
    if (par.pending) parTimer = window.setTimeout(() => followPar(id, Math.min(wait * 1.5, 4000)), wait);
  }).catch(() => {
    parTimer = window.setTimeout(() => followPar(id, 5000), 5000);
  });
}

/** @param {number} square */
export async function attack(square) {
  const { game, watch, agentRunning } = get();
  if (!game || watch || agentRunning || game.done) return;
  set({ cursor: square });
  if (game.status[square] !== "1") {
    say(`${place(square, game.width)} is ${STATES[Number(game.status[square])]}; only active squares can be attacked.`);
    return;
  }
  const think_ms = thinkTime();
  await act("moves", { ply: game.ply, square, think_ms });
}

export const undo = () => step("undo");
export const redo = () => step("redo");
export const restart = () => step("restart");

/** @param {string} kind */
function step(kind) {
  const { game, watch } = get();
  if (game && !watch && !game.done) return act(kind, { think_ms: thinkTime() });
}

/** Send one action; a second one waits for its answer. @param {string} path @param {Record<string, any>} body */
export async function act(path, body) {
  const { game, busy } = get();
  if (!game || busy) return false;
  set({ busy: true });
  const after = await attempt(() => sendTwice(`/games/${game.id}/${path}`, { turn: game.turn, ...body }));
  set({ busy: false });
  if (!after) await refresh(game.id);
  else accept(game, after);
  return after !== null;
}

/** The same turn sent again is harmless, so a lost answer is asked for once more. @param {string} path @param {any} body */
async function sendTwice(path, body) {
  try {
    return await api.post(path, body);
  } catch (error) {
    if (!(error instanceof api.Refused) || error.status !== 0) throw error;
    await new Promise((done) => setTimeout(done, 500));
    return api.post(path, body);
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
  set({ game: after, delays: wave(before.status, after.status, attacked, after.width), heat: null, hint: null });
  thinkingSince = performance.now();
  say(whatHappened(before, after, attacked));
}

/** @param {Game} before @param {Game} after @param {number|null} attacked */
function whatHappened(before, after, attacked) {
  if (after.ply < before.ply) return `Taken back. ${count(after.ply, "move")} on the board. ${howMany(after)}`;
  if (attacked === null) return "";
  const lost = [...after.status].filter((s, i) => s === "2" && before.status[i] === "1").length;
  const cut = lost ? `${count(lost, "square was", "squares were")} cut off.` : "Nothing was cut off.";
  const here = `Attacked ${place(attacked, after.width)}. ${cut}`;
  if (!after.done) return `${here} ${howMany(after)}`;
  return `${here} The game is over after ${count(after.ply, "move")}. Par: ${parText(get().par)}.`;
}

/** @param {Game} game */
const howMany = (game) =>
  `${count([...game.status].filter((s) => s === "1").length, "active square")}.`;

/**
 * When each changed square is to change its colour: in rings around the cut.
 * @param {string} before @param {string} after @param {number|null} from @param {number} width
 */
export function wave(before, after, from, width) {
  /** @type {Map<number, number>} */
  const delays = new Map();
  if (from === null) return delays;
  let ring = [from];
  const seen = new Set(ring);
  const changed = (/** @type {number} */ s) => before[s] !== after[s];
  for (let distance = 1; ring.length; distance++) {
    /** @type {number[]} */
    const next = [];
    for (const square of ring) {
      const col = square % width;
      const around = [square - width, square + width];
      if (col > 0) around.push(square - 1);
      if (col < width - 1) around.push(square + 1);
      for (const s of around) {
        if (s < 0 || s >= after.length || seen.has(s) || !changed(s)) continue;
        seen.add(s);
        next.push(s);
        delays.set(s, Math.min(distance * WAVE, 900));
      }
    }
    ring = next;
  }
  // A piece may lose its colour without touching the cut, as when it is no longer the largest.
  for (let s = 0; s < after.length; s++) if (changed(s) && !seen.has(s)) delays.set(s, 200);
  return delays;
}
