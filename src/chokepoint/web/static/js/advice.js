// Asking agents and the solver: hints, heat maps, lines to watch, moves in the player's place.

import * as api from "./api.js";
import { accept, thinkTime } from "./play.js";
import { get, set, setSettings } from "./store.js";
import { attempt, notify, say } from "./talk.js";
import { place } from "./words.js";

/** @typedef {import("./types.js").Film} Film */
/** @typedef {import("./types.js").State} State */

/** The agents for the game's mode. @param {State} state */
export function agents(state) {
  return state.about?.modes.find((mode) => mode.name === state.game?.mode)?.agents ?? [];
}

/** Whom the player asks: the last choice in this mode, or the first there is. @param {State} state */
export function adviser(state) {
  const known = agents(state);
  const chosen = state.settings.adviser[state.game?.mode ?? ""];
  const usual = known.find((a) => a.kind === "learned") ?? known.find((a) => a.kind === "solver");
  return known.find((agent) => agent.name === chosen) ?? usual ?? known[0] ?? null;
}

/** @param {string} name */
export function chooseAdviser(name) {
  const { game, settings } = get();
  if (game) setSettings({ adviser: { ...settings.adviser, [game.mode]: name } });
}

/** @param {string} path */
async function ask(path) {
  const state = get();
  const who = adviser(state);
  const { game, busy } = state;
  if (!game || !who || busy || game.done) return null;
  set({ busy: true });
  const body = { turn: game.turn, agent: who.name, think_ms: thinkTime() };
  const answer = await attempt(() => api.post(`/games/${game.id}/${path}`, body));
  set({ busy: false });
  return answer && get().game?.id === game.id ? { answer, who: who.name, before: game } : null;
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

// -- watching: the game itself stays where it is -----------------------------------------------

let watchTimer = 0;

export async function watch() {
  const got = await ask("watch");
  if (!got) return;
  set({ game: got.answer.game, heat: null, hint: null,
    watch: { film: got.answer.film, agent: got.who, at: 0, running: true } });
  say(`Watching ${got.who}: ${got.answer.film.frames.length} moves from here.`);
  tick();
}

function tick() {
  clearTimeout(watchTimer);
  watchTimer = window.setTimeout(() => {
    const { watch } = get();
    if (!watch?.running) return;
    if (watch.at >= watch.film.frames.length) return set({ watch: { ...watch, running: false } });
    seek(watch.at + 1, true);
    tick();
  }, 1000 / get().settings.speed);
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
  if (!watch.running) tick();
}

export function stopWatching() {
  clearTimeout(watchTimer);
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
