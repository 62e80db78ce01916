// The first minute: a board of 5 × 5 in each mode. The moves are made on the server like any others.

import { h } from "../../vendor/preact.js";
import { board, legend } from "../board.js";
import { ending, goalOverlay } from "../goal.js";
import { button } from "../parts.js";
import { attack, createGame, leave, shown, undo } from "../session.js";
import { get, go, notify, set } from "../state.js";
import { capital, colour } from "../words.js";

/** @typedef {import("../types.js").State} State */
/**
 * @typedef {object} Step
 * @property {(state: State) => string} text
 * @property {number} [square]  to be attacked before the lesson goes on; -1: whichever
 * @property {boolean} [undo]  to be taken back before the lesson goes on
 */

/** @param {number} n */
const C = (n) => (/** @type {State} */ state) => colour(state, n);
const [black, green, blue, red] = [C(0), C(1), C(2), C(3)];

/** @type {Record<string, {rows: string[], steps: Step[]}>} */
export const LESSONS = {
  network: {
    rows: ["oo#oo", "oo#oo", "ooooo", "oo##o", "oo#oo"],
    steps: [
      {
        text: (s) =>
          `This is a network. ${capital(green(s))} squares are active; ${black(s)} ones are blocked. ` +
          "Squares join by their sides, never by their corners. Attack the square that is marked.",
        square: 19,
      },
      {
        text: (s) =>
          `It turned ${red(s)}, and the two squares behind it were cut off: they turned ${blue(s)}. You ` +
          "cut off 2, but the rest is larger, so the game goes on. Take the move back (Undo, or the key U).",
        undo: true,
      },
      {
        text: () =>
          "There is a better place: a narrow one that holds two large parts together. That is the choke " +
          "point. Attack it.",
        square: 12,
      },
      {
        text: (s) =>
          `Now 9 squares are ${blue(s)} and 10 are ${green(s)}. The game ends when the ${green(s)} piece ` +
          `is no larger than the largest piece you cut off. One more: attack any ${green(s)} square.`,
        square: -1,
      },
      {
        text: (s) =>
          `Nothing is ${green(s)} any more: you won, in two moves, and nobody can do it in fewer. That number is par.`,
      },
    ],
  },
  flow: {
    rows: ["oo#oo", "oo#oo", "#o##o", "oo#oo", "oo#oo"],
    steps: [
      {
        text: (s) =>
          `Water runs from the top row to the bottom row. ${capital(green(s))} pieces let it through; ` +
          `${black(s)} squares are walls, and it never slips through a corner. Attack the marked square.`,
        square: 11,
      },
      {
        text: (s) =>
          `It turned ${red(s)}. The left piece no longer joins top and bottom, so all of it turned ` +
          `${blue(s)}. Now stop the other one.`,
        square: 14,
      },
      {
        text: (s) =>
          `Nothing is ${green(s)} any more: the flow has stopped, in two moves. Fewer is impossible; that ` +
          "number is par.",
      },
    ],
  },
  noodle: {
    rows: ["ooo#o", "o#o##", "ooooo", "##o#o", "##ooo"],
    steps: [
      {
        text: (s) =>
          `A piece with a loop is ${green(s)}. A piece without loops is a noodle and ${blue(s)}, like the ` +
          "one in the corner. Attack the marked square to open a loop.",
        square: 0,
      },
      {
        text: (s) =>
          `It turned ${red(s)}. The upper loop is open, but the lower one still keeps the piece ` +
          `${green(s)}. Take the move back.`,
        undo: true,
      },
      { text: () => "One square belongs to both loops. Attack it.", square: 12 },
      {
        text: (s) =>
          `Both loops are open, everything is ${blue(s)} or ${red(s)}, and you are done in one move. That is par here.`,
      },
    ],
  },
  shatter: {
    rows: ["o####", "#ooo#", "###o#", "#####", "#####"],
    steps: [
      {
        text: (s) =>
          "No piece may have more than a tenth of the squares; on this small board that is one square. A " +
          `larger piece is ${green(s)}. Attack the marked square.`,
        square: 6,
      },
      {
        text: (s) => `It turned ${red(s)}, but the three squares behind it still hang together. Take the move back.`,
        undo: true,
      },
      { text: () => "A square in the middle has more neighbours to lose. Attack it.", square: 7 },
      { text: (s) => `One piece is ${blue(s)} now, two squares are still joined. Attack either of them.`, square: -1 },
      {
        text: (s) => `Nothing is ${green(s)} any more: every piece is a single square, in two moves. That is par here.`,
      },
    ],
  },
};

/** @param {string[]} params */
export async function loadLesson(params) {
  const mode = params[0] in LESSONS ? params[0] : "network";
  leave();
  set({ lesson: { mode } });
  await createGame({ kind: "text", mode, rows: LESSONS[mode].rows, lesson: true });
}

/** Each step takes exactly one event of the game, so its log says where the lesson stands. @param {State} state */
export function lessonStep(state) {
  return Math.min(state.game?.turn ?? 0, LESSONS[state.lesson.mode].steps.length - 1);
}

/** @param {State} state */
export function lessonView(state) {
  const { game, lesson } = state;
  const { steps } = LESSONS[lesson.mode];
  const step = lessonStep(state);
  const at = steps[step];
  const last = step === steps.length - 1;
  const wanted = at.square === undefined || at.square < 0 ? null : at.square;
  const modes = Object.keys(LESSONS);
  const next = modes[modes.indexOf(lesson.mode) + 1];
  const { status, moves } = shown(state);
  return h(
    "div",
    { class: "page lesson", key: "lesson" },
    h(
      "div",
      { class: "speech" },
      h("h1", null, "How it works, in one minute"),
      h(
        "div",
        { class: "chips", role: "group", "aria-label": "Mode" },
        modes.map((mode) =>
          h(
            "button",
            {
              type: "button",
              class: "button",
              key: mode,
              "aria-pressed": String(mode === lesson.mode),
              onclick: () => go(`lesson/${mode}`),
            },
            capital(mode),
          ),
        ),
      ),
      h(
        "section",
        { class: "card", "aria-live": "polite" },
        h("p", { class: "small" }, `Step ${step + 1} of ${steps.length}`),
        h("p", { id: "lesson-text" }, at.text(state)),
      ),
      h(
        "div",
        { class: "controls wide" },
        at.undo && button("undo", "Undo", undo, { class: "primary", id: "undo" }),
        last &&
          next &&
          button("next", `Learn ${next}`, () => go(`lesson/${next}`), { class: "primary", id: "lesson-next" }),
        last && button("play", "Play", finish, { class: next ? "" : "primary", id: "lesson-done" }),
        !last && button("", "Skip", finish, { id: "skip" }),
      ),
      h("div", { class: "wide-only" }, legend(state)),
    ),
    h(
      "div",
      { class: "frame" },
      game &&
        board(state, status, game.height, game.width, {
          id: "game-board",
          label: "Lesson board",
          playable: !game.done && !at.undo,
          newest: moves.at(-1) ?? null,
          hint: state.queue.length ? null : wanted,
          delays: state.delays,
          ...(game.done ? ending(game) : { over: goalOverlay(game, status) }),
          choose: (square) =>
            state.queue.length
              ? null
              : wanted === null || square === wanted
                ? attack(square)
                : notify("Attack the marked square."),
        }),
    ),
  );
}

function finish() {
  leave();
  go("");
}

// U takes back here too, where a step asks for it.
document.addEventListener("keydown", (event) => {
  const state = get();
  if (
    state.route.name !== "lesson" ||
    event.key.toLowerCase() !== "u" ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey
  )
    return;
  if (LESSONS[state.lesson.mode].steps[lessonStep(state)].undo && !state.queue.length) undo();
});
