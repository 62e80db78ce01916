// Asking agents and the solver: hints, heat maps, lines to watch, moves in the player's place.

import * as api from "./api.js";
import { rivalOf } from "./kinds.js";
import { accept, playback, thinkTime } from "./session.js";
import { get, notify, say, set, setSettings } from "./state.js";
import { capital, place } from "./words.js";

/** @typedef {import("./types.js").Film} Film */
/** @typedef {import("./types.js").Game} Game */
/** @typedef {import("./types.js").State} State */
/** @typedef {{name: string, title: string, face: string, about: string, values: boolean}} Character */

/** The agents for a mode that answer in time on the board. @param {State} state @param {string} [mode] */
export function agents(state, mode = state.game?.mode) {
  const offered = state.about?.modes.find((m) => m.name === mode)?.agents ?? [];
  const squares = state.game?.status.length ?? 0;
  return offered.filter((agent) => squares <= (agent.max_squares ?? Infinity));
}

/**
 * Three of them have a face; the others live in the laboratory.
 * @param {State} state @param {string} [mode] @returns {Character[]}
 */
export function characters(state, mode = state.game?.mode) {
  const known = agents(state, mode);
  const learned = known.find((a) => a.kind === "learned");
  const student = known.find((a) => a.name === "greedy") ?? known.find((a) => a.kind === "baseline");
  const solver = known.find((a) => a.kind === "solver");
  const allowed = state.game && state.game.mode === mode ? state.game.allowed : ["solver"];
  /** @type {(Character|null|undefined|false)[]} */
  const cast = [
    student && {
      ...student,
      title: "Student",
      face: "student",
      about: "Eager and quick: always takes what cuts off most right now, and never looks ahead.",
    },
    learned && {
      ...learned,
      title: "Network",
      face: "network",
      about: "Has learned from a great many games of its own. Takes in the whole board and trusts its intuition.",
    },
    solver &&
      allowed.includes("solver") && {
        ...solver,
        title: "Solver",
        face: "solver",
        about: "Calculates the fewest moves there can be. Takes its time, and is never wrong where par is proven.",
      },
  ];
  const found = /** @type {Character[]} */ (cast.filter(Boolean));
  const other = known.find(
    (a) => a.name === state.settings.adviser[mode ?? ""] && !found.some((c) => c.name === a.name),
  );
  if (other && other.kind !== "solver")
    found.push({ ...other, title: capital(other.name), face: "other", about: `From the laboratory: ${other.about}.` });
  return found;
}

/** Whom the player asks: the last choice in this mode, or the one who knows best. @param {State} state */
export function adviser(state) {
  const cast = characters(state);
  const chosen = state.settings.adviser[state.game?.mode ?? ""];
  // Where par is proven nobody gives better advice than the solver.
  const usual = cast.find((c) => c.name === "solver" && state.par?.proven) ?? cast.find((c) => c.title === "Network");
  return cast.find((c) => c.name === chosen) ?? usual ?? cast.at(-1) ?? null;
}

/** @param {string} name */
export function chooseAdviser(name) {
  const { game, settings } = get();
  if (game) setSettings({ adviser: { ...settings.adviser, [game.mode]: name } });
}

/** Whether the teacher of this room allows it, and anybody elsewhere. @param {Game} game @param {string} what */
export const may = (game, what) => game.allowed.includes(what);

/** @param {string} path */
async function ask(path) {
  const state = get();
  const who = adviser(state);
  const { game, busy, queue } = state;
  if (!game || !who || busy || queue.length || game.done) return null;
  set({ busy: true });
  const body = { turn: game.turn, agent: who.name, think_ms: thinkTime() };
  const answer = await api.attempt(() => api.post(`/games/${game.id}/${path}`, body, 60_000));
  set({ busy: false });
  return answer && get().game?.id === game.id ? { answer, who: who.title, before: game } : null;
}

export async function hint() {
  const got = await ask("hint");
  if (!got) return;
  const { game, square } = got.answer;
  set({ game, hint: { square, agent: got.who }, heat: null, cursor: square });
  say(`${got.who} suggests ${place(square, game.width)}.`);
}

export async function heat() {
  if (get().heat) return set({ heat: null });
  const got = await ask("values");
  if (!got) return;
  const { game, values, best } = got.answer;
  set({ game, heat: { values, best, agent: got.who }, hint: null });
  say(`Heat map of ${got.who}. The best square is ${place(best, game.width)}.`);
}

/** Whether the chosen adviser has an opinion on every square. @param {State} state */
export const hasHeat = (state) => adviser(state)?.values ?? false;

/** Fetch what each attack would cut off, if the player wants to see it; that counts as help. */
export async function fetchOutlook() {
  const { game, settings, queue, outlook, busy } = get();
  if (!settings.preview) return set({ outlook: null, pointed: null });
  if (!game || game.done || !game.yours || queue.length || outlook || busy || rivalOf(game) || !may(game, "hint"))
    return;
  set({ busy: true });
  const answer = await api.attempt(() =>
    api.post(`/games/${game.id}/outlook`, { turn: game.turn, think_ms: thinkTime() }),
  );
  set({ busy: false });
  if (answer && get().game?.id === game.id && !get().queue.length)
    set({ game: answer.game, outlook: { cuts: answer.cuts } });
}

// -- watching: the game itself stays where it is -----------------------------------------------

export async function watch() {
  const got = await ask("watch");
  if (!got) return;
  set({
    game: got.answer.game,
    heat: null,
    hint: null,
    watch: { film: got.answer.film, agent: got.who, at: 0, running: true },
  });
  say(`Watching ${got.who}: ${got.answer.film.frames.length} moves from here.`);
  playback(advance);
}

/** One step further, if it runs. */
function advance() {
  const { watch } = get();
  if (!watch?.running) return false;
  const more = watch.at < watch.film.frames.length;
  if (more) seek(watch.at + 1, true);
  else set({ watch: { ...watch, running: false } });
  return more;
}

/** @param {number} at @param {boolean} [running] */
export function seek(at, running = false) {
  const { watch, game } = get();
  if (!watch || !game) return;
  const to = Math.max(0, Math.min(at, watch.film.frames.length));
  set({ watch: { ...watch, at: to, running }, delays: new Map() });
  const frame = watch.film.frames[to - 1];
  if (frame) say(`${watch.agent}, move ${to}: ${place(frame.square, game.width)}.`);
}

export function toggleWatch() {
  const { watch } = get();
  if (!watch) return;
  const at = watch.at >= watch.film.frames.length ? 0 : watch.at;
  set({ watch: { ...watch, at, running: !watch.running } });
  if (!watch.running) playback(advance);
}

export function stopWatching() {
  set({ watch: null, delays: new Map() });
  say("Back to your game.");
}

// -- letting the agent go on in the game itself -------------------------------------------------

export async function letAgentGoOn() {
  if (get().agentRunning) return set({ agentRunning: false });
  set({ agentRunning: true });
  while (get().agentRunning) {
    const began = performance.now();
    const got = await ask("agent");
    if (!got) break;
    accept(got.before, got.answer);
    if (got.answer.done) break;
    const rest = 1000 / get().settings.speed - (performance.now() - began);
    await new Promise((done) => setTimeout(done, Math.max(rest, 30)));
  }
  set({ agentRunning: false });
}

// -- films: boards after each move of a line, patched together from what the server sent ---------

/** The states of all squares after the first `at` moves. @param {Film} film @param {number} at */
export function filmStatus(film, at) {
  const squares = [...film.start];
  for (const frame of film.frames.slice(0, at))
    for (const [square, status] of frame.changes) squares[square] = String(status);
  return squares.join("");
}

/** @param {string} text @param {string} done */
export async function copy(text, done) {
  try {
    await navigator.clipboard.writeText(text);
    notify(done);
  } catch {
    notify("The browser does not allow copying; the text is shown below.", true);
    set({ dialog: "share" });
  }
}

/** Hand a text to the phone's own ways of sharing, or copy it. @param {string} text @param {string} url */
export async function share(text, url) {
  if (!navigator.share || !matchMedia("(pointer: coarse)").matches)
    return copy(text, "The result is copied, without spoilers.");
  try {
    await navigator.share({ title: "Pinchpoint", text: text.replace(url, "").trim(), url });
  } catch (error) {
    if (/** @type {Error} */ (error).name !== "AbortError") await copy(text, "The result is copied, without spoilers.");
  }
}
