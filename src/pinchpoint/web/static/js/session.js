// The game on the page: its log as far as it was seen, the actions that wait for their answers, and what runs
// beside it. An attack is painted at once and sent in its turn; the server decides what comes of it. Nothing here
// knows the rules.

import * as api from "./api.js";
import { kindOf, rivalOf } from "./kinds.js";
import { get, go, NO_GAME, notify, say, set, setSettings } from "./state.js";
import { count, parText, place, STATES } from "./words.js";

/** @typedef {import("./types.js").Game} Game */
/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Action} Action */

const WAVE = 38; // ms from one ring of squares to the next, when a piece is cut off
const CUT = 1500; // ms that the cut is shown at the end

export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// -- opening a game --------------------------------------------------------------------------------

/** @type {Session|null} */
let session = null;

/** Put a game on the page as new. @param {Game} game */
function show(game) {
  session = new Session(game);
  set({ ...NO_GAME, game, par: kindOf(game).par, cursor: Math.max(game.status.indexOf("1"), 0) });
  session.begin(game);
}

/** Take the game from the page. */
export function leave() {
  session = null;
  set(NO_GAME);
}

/** @param {Record<string, any>} board @param {string} [rival] @returns {Promise<Game>} */
const make = (board, rival) => api.post("/games", { board, ...(rival ? { rival } : {}) });

/** @param {Game} game */
function showNew(game) {
  show(game);
  say(`New ${game.mode} board, ${game.height} by ${game.width}. ${howMany(game.status)}`);
}

/** Make a game on a board and put it on the page, when there is a connection.
 * @param {Record<string, any>} board @param {(sentence: string) => void} [refused] */
export const createGame = (board, refused) => api.poll(() => make(board), showNew, { refused });

/** Make a game and go to it. @param {Record<string, any>} board @param {string} [rival] */
export async function newGame(board, rival) {
  const game = await api.attempt(() => make(board, rival));
  if (!game) return;
  showNew(game);
  go(`game/${game.id}`);
}

/** Go where a kind of game leads. @param {import("./kinds.js").Target} to */
export const follow = (to) => (to.board ? newGame(to.board, to.rival) : go(to.path ?? ""));

/** Open a game by its id, as after a reload. @param {string} id */
export async function openGame(id) {
  if (session?.id !== id) {
    leave();
    await api.poll(() => api.read(`/games/${encodeURIComponent(id)}`), show);
  }
  if (get().game?.done) session?.analyse();
}

/** The states of all squares before the first move, as far as this page has seen them. @param {Game} game */
export const startOf = (game) => session?.seen.get("") ?? game.status.replace(/[23]/g, "1");

export const thinkTime = () => session?.thinkTime() ?? 0;

/** What the board shows: the last answer, and the actions since. @param {State} state
 * @returns {{status: string, moves: number[]}} */
export function shown({ game, queue }) {
  if (!game) return { status: "", moves: [] };
  const seen = session?.seen;
  let { status, moves } = game;
  for (const action of queue) {
    if (action.kind === "moves") {
      moves = [...moves, action.square];
      status = seen?.get(moves.join()) ?? `${status.slice(0, action.square)}3${status.slice(action.square + 1)}`;
    } else if (action.kind !== "redo") {
      moves = action.kind === "undo" ? moves.slice(0, -1) : [];
      status = seen?.get(moves.join()) ?? status;
    }
  }
  return { status, moves };
}

/** Whether there is a move to redo, also before the server has answered an undo. @param {State} state */
export function canRedo(state) {
  const last = state.queue.at(-1)?.kind;
  return last ? last === "undo" || last === "restart" : (state.game?.can_redo ?? false);
}

/** One game on the page. What it waits for is dropped as soon as another game takes its place. */
class Session {
  /** @param {Game} game */
  constructor(game) {
    this.id = game.id;
    /** The states of all squares after each line of moves that was seen. @type {Map<string, string>} */
    this.seen = new Map([[game.moves.join(), game.status]]);
    this.thinkingSince = performance.now();
    this.sending = false;
    this.analysing = false;
    this.rivalAsked = 0;
    this.here = () => session === this;
  }

  /** Ask for what comes from elsewhere. @param {Game} game */
  begin(game) {
    if (!kindOf(game).par) this.followPar();
    if (rivalOf(game)) this.followRival();
  }

  thinkTime() {
    return Math.min(Math.round(performance.now() - this.thinkingSince), 86_400_000);
  }

  /** @param {string} path @param {(answer: any) => boolean|void} use
   * @param {{here?: () => boolean, wait?: number}} [how] */
  poll(path, use, how) {
    return api.poll(() => api.read(`/games/${this.id}/${path}`), use, { here: this.here, refused: () => {}, ...how });
  }

  /** Ask for par until it is final. */
  followPar() {
    this.poll("par", (par) => {
      set({ par });
      return par.pending;
    });
  }

  /** Ask what the rival has done: as many moves as the player, all of them at the end. */
  followRival() {
    const asked = ++this.rivalAsked; // an older answer must not come after a newer one
    const here = () => this.here() && asked === this.rivalAsked;
    const over = get().game?.done ?? false;
    const use = (/** @type {any} */ rival) => {
      set({ rival: { ...rival, gaveUp: over && rival.total === null } });
      return !(over || rival.film.done || rival.film.frames.length >= (get().game?.ply ?? 0));
    };
    this.poll("rival", use, { here });
  }

  /** Ask for the analysis until all of it has been worked out. */
  analyse() {
    if (this.analysing) return;
    this.analysing = true;
    const use = (/** @type {import("./types.js").Analysis} */ analysis) => {
      const first = get().analysis === null;
      set({ analysis, par: analysis.par, ...(first ? { analysisAt: get().game?.ply ?? 0 } : {}) });
      return analysis.pending;
    };
    this.poll("analysis", use, { wait: 500 });
  }

  // -- what the player does ------------------------------------------------------------------------

  /** @param {number} square */
  attack(square) {
    const state = get();
    const { game, watch, agentRunning } = state;
    if (!game || watch || agentRunning || game.done) return;
    set({ cursor: square });
    if (!game.yours) return notify("This is another player's game. You can look, and play the board yourself.");
    const { status } = shown(state);
    if (status[square] !== "1") return this.nudge(game, square, STATES[Number(status[square])]);
    if (state.settings.vibration && !calm()) navigator.vibrate?.(12);
    sound("hit");
    this.enqueue({ kind: "moves", square, think_ms: this.thinkTime() });
    this.thinkingSince = performance.now();
  }

  /** Say that nothing happens there, and why. @param {Game} game @param {number} square @param {string} is */
  nudge(game, square, is) {
    set({ nudged: square });
    setTimeout(() => get().nudged === square && set({ nudged: null }), 400);
    notify(`That square is ${is}. Only active squares can be attacked.`);
    say(`${place(square, game.width)} is ${is}; only active squares can be attacked.`);
  }

  /** @param {"undo"|"redo"|"restart"} kind */
  step(kind) {
    const { game, watch } = get();
    if (game && !watch && !game.done && game.yours) this.enqueue({ kind, think_ms: this.thinkTime() });
  }

  // -- sending: one action after the other, each until it is answered --------------------------------

  /** @param {Action} action */
  enqueue(action) {
    set({
      queue: [...get().queue, action],
      heat: null,
      hint: null,
      outlook: null,
      pointed: null,
      delays: new Map(),
    });
    this.send();
  }

  async send() {
    if (this.sending) return;
    this.sending = true;
    let wait = 400;
    while (this.here() && get().queue.length) {
      const { game, queue } = get();
      if (!game) break;
      const result = await this.sendOne(game, queue[0]);
      if (!this.here()) return;
      if (result === "again") {
        await api.pause(wait);
        wait = Math.min(wait * 1.5, 4000);
        continue;
      }
      wait = 400;
      set({ queue: result === "stale" ? [] : get().queue.slice(1) });
      if (result === "stale") await this.refresh();
      else if (result) this.accept(game, result);
    }
    this.sending = false;
  }

  /** The answer, null if it was refused, or what to do instead. The same action sent again does no harm.
   * @param {Game} game @param {Action} action @returns {Promise<Game|"again"|"stale"|null>} */
  async sendOne(game, action) {
    const { kind, ...rest } = action;
    const body = { turn: game.turn, ...rest, ...(kind === "moves" ? { ply: game.ply } : {}) };
    try {
      return await api.post(`/games/${this.id}/${kind}`, body, api.QUICK);
    } catch (error) {
      if (!(error instanceof api.Refused)) throw error;
      if (api.isPassing(error)) return "again";
      if (!this.here()) return null;
      // An attack that was clicked before the last answer may have become pointless meanwhile.
      if (error.status === 422 && kind === "moves") notify("That square had been cut off already.");
      else notify(error.message, true);
      return error.status === 422 ? null : "stale";
    }
  }

  /** After a refusal: what does the server have? */
  refresh() {
    const use = (/** @type {Game} */ game) => set({ game, heat: null, hint: null });
    return api.poll(() => api.read(`/games/${this.id}`), use, { here: this.here, refused: () => {} });
  }

  /** Show what came of an action. @param {Game} before @param {Game} after */
  accept(before, after) {
    const attacked = after.ply > before.ply ? after.moves[after.ply - 1] : null;
    this.seen.set(after.moves.join(), after.status);
    const delays = wave(before.status, after.status, attacked, after.width);
    set({ game: after, delays, heat: null, hint: null, outlook: null, pointed: null });
    this.thinkingSince = performance.now();
    say(whatHappened(before, after, attacked));
    if (delays.size > 1) sound("crumble");
    if (rivalOf(after) && attacked !== null) this.followRival();
    if (after.done) this.end(after, delays);
  }

  /** The wave runs out, the cut is drawn, the moves are counted, then comes the analysis.
   * @param {Game} game @param {Map<number, number>} delays */
  async end(game, delays) {
    const still = calm();
    const here = () => this.here() && get().finale !== "";
    const { settings } = get();
    setSettings({ finished: settings.finished + 1, ...kindOf(game).score(settings) });
    if (get().route.name === "game") this.analyse();
    set({ finale: "wave", counted: 0 });
    await api.pause(still ? 50 : Math.max(0, ...delays.values()) + 320);
    if (!here()) return;
    set({ finale: "cut" });
    const { par } = get();
    if (par?.value != null && game.ply <= par.value && !game.agent_moves) sound("par");
    for (let n = 1; n <= game.ply && here(); n++) {
      set({ counted: n });
      await api.pause(still ? 0 : Math.min(140, 600 / game.ply));
    }
    await api.pause(still ? 200 : CUT - Math.min(140 * game.ply, 600));
    if (here()) set({ finale: "", counted: game.ply });
  }
}

/** @param {number} square */
export const attack = (square) => session?.attack(square);
export const undo = () => session?.step("undo");
export const redo = () => session?.step("redo");
export const restart = () => session?.step("restart");
/** @param {Game} before @param {Game} after */
export const accept = (before, after) => session?.accept(before, after);

let playing = 0;

/** Show one thing after the other, at the speed of the settings, as long as `step` says that there is more.
 * Another playback takes its place. @param {() => boolean} step */
export async function playback(step) {
  const mine = ++playing;
  do await api.pause(1000 / get().settings.speed);
  while (mine === playing && step());
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
