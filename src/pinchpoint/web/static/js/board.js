// The board: an SVG that is an ARIA grid. It shows states; it does not know what they follow from.

import { h } from "../vendor/preact.js";
import { attack } from "./session.js";
import { get, set } from "./state.js";
import { colour, place, STATES } from "./words.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("../vendor/preact.js").Vnode} Vnode */

const UNIT = 10; // of the drawing, for each square

/**
 * @typedef {object} Drawing  what is shown besides the states
 * @property {string} id @property {string} label
 * @property {boolean} [playable]
 * @property {number|null} [newest]  the square attacked last
 * @property {number|null} [hint]
 * @property {{values: (number|null)[], best: number}|null} [heat]
 * @property {Map<number, number>} [delays]
 * @property {number|null} [better]  where the choke point was
 * @property {number[]} [costly]  attacks that lost moves
 * @property {Set<number>|null} [doomed]  what the attack under the pointer would cut off
 * @property {number[]|null} [parts]  the part of the board that each square is in, once the game is over
 * @property {any} [over]  drawn over the squares
 * @property {string} [class]
 * @property {(square: number) => void} [choose]  what a click does; an attack unless told
 */

/**
 * @param {State} state @param {string} status @param {number} height @param {number} width
 * @param {Drawing} drawing
 */
export function board(state, status, height, width, drawing) {
  const choose = drawing.choose ?? attack;
  const shade = drawing.heat ? shades(drawing.heat.values) : null;
  const rows = Array.from({ length: height }, (_, row) =>
    h(
      "g",
      { role: "row", key: row },
      Array.from({ length: width }, (_, col) => cell(state, status, row * width + col, width, drawing, shade)),
    ),
  );
  return h(
    "svg",
    {
      key: drawing.id,
      id: drawing.id,
      class: `board ${drawing.class ?? ""}`.trim(),
      role: "grid",
      "aria-label": drawing.label,
      "aria-rowcount": height,
      "aria-colcount": width,
      "aria-readonly": drawing.playable ? null : "true",
      "aria-busy": drawing.playable && state.queue.length ? "true" : null,
      viewBox: `-0.6 -0.6 ${width * UNIT + 1.2} ${height * UNIT + 1.2}`,
      style: { "--w": String(width), "--h": String(height) },
      onclick: drawing.playable ? (/** @type {Event} */ e) => clicked(e, choose) : null,
      onkeydown: drawing.playable ? (/** @type {KeyboardEvent} */ e) => typed(e, choose) : null,
      onfocusin: drawing.playable ? focused : null,
      onfocusout: drawing.playable ? () => set({ cursorShown: false }) : null,
      onpointerover: drawing.playable && state.outlook ? hovered : null,
      onpointerleave: drawing.playable && state.outlook ? () => set({ pointed: null }) : null,
    },
    rows,
    drawing.over,
    drawing.playable && state.cursorShown && ring(state.cursor, width, "cursor"),
    number(drawing.hint) && ring(drawing.hint, width, "hint"),
    number(drawing.heat?.best) && ring(drawing.heat.best, width, "hint"),
    number(drawing.better) && ring(drawing.better, width, "better"),
    drawing.costly?.map((s) => ring(s, width, `costly ${s}`)),
  );
}

/** @param {any} value @returns {value is number} */
const number = (value) => typeof value === "number";

/**
 * @param {State} state @param {string} status @param {number} square @param {number} width
 * @param {Drawing} drawing @param {((square: number) => number|null)|null} shade @returns {Vnode}
 */
function cell(state, status, square, width, drawing, shade) {
  const [row, col, is] = [Math.floor(square / width), square % width, status[square]];
  const [x, y] = [col * UNIT, row * UNIT];
  const delay = drawing.delays?.get(square);
  const heat = shade?.(square) ?? null;
  const value = drawing.heat?.values[square] ?? null;
  const about = `${place(square, width)}, ${STATES[Number(is)]}`;
  return h(
    "g",
    {
      key: square,
      role: "gridcell",
      class: [
        `cell s${is}`,
        square === drawing.newest && "newest",
        square === state.nudged && drawing.playable && "nudged",
        drawing.doomed?.has(square) && "doomed",
        drawing.parts && `part${drawing.parts[square] % 3}`,
      ]
        .filter(Boolean)
        .join(" "),
      "aria-label": value === null ? about : `${about}, expects ${value.toFixed(1)}`,
      "data-square": square,
      tabindex: drawing.playable ? (square === state.cursor ? 0 : -1) : null,
      style: delay === undefined ? {} : { "--delay": `${delay}ms` },
    },
    h("rect", { x: x + 0.35, y: y + 0.35, width: 9.3, height: 9.3, rx: 1.7 }),
    is === "2" && h("circle", { class: "mark", cx: x + 5, cy: y + 5, r: 1.5 }),
    is === "3" && h("path", { class: "mark", d: `M${x + 3} ${y + 3}l4 4m0-4l-4 4` }),
    heat !== null &&
      h("rect", {
        class: "heat",
        x: x + 0.35,
        y: y + 0.35,
        width: 9.3,
        height: 9.3,
        rx: 1.7,
        style: { "--heat": heat.toFixed(3) },
      }),
  );
}

/** @param {number} square @param {number} width @param {string} kind */
function ring(square, width, kind) {
  const [x, y] = [(square % width) * UNIT, Math.floor(square / width) * UNIT];
  return h("rect", {
    key: kind,
    "aria-hidden": "true",
    class: `ring ${kind.split(" ")[0]}`,
    x: x + 0.1,
    y: y + 0.1,
    width: 9.8,
    height: 9.8,
    rx: 2,
  });
}

/** From values to how strongly they are shown: the best 1, the worst 0. @param {(number|null)[]} values */
function shades(values) {
  const known = /** @type {number[]} */ (values.filter((v) => v !== null)).sort((a, b) => a - b);
  const [low, high] = [known[0], known[known.length - 1]];
  // The few good squares are what matters, so the scale is steep at the top.
  return (/** @type {number} */ square) => {
    const value = values[square];
    if (value === null || value === undefined) return null;
    return high > low ? ((value - low) / (high - low)) ** 3 : 1;
  };
}

/** A drawing of the colours and what they mean. @param {State} state */
export function legend(state) {
  const names = ["blocked", "active: you may attack it", "cut off", "attacked"];
  return h(
    "ul",
    { class: "legend" },
    [1, 2, 3, 0].map((s) => h("li", null, swatch(s), h("span", null, h("b", null, colour(state, s)), ` ${names[s]}`))),
  );
}

/** The same in one line, for those who have not finished a game yet. @param {State} state */
export function shortLegend(state) {
  const names = ["blocked", "attack these", "cut off", "attacked"];
  return h(
    "ul",
    { class: "legend short", id: "legend" },
    [1, 2, 3, 0].map((s) => h("li", { title: colour(state, s) }, swatch(s), names[s])),
  );
}

/** @param {number} s */
const swatch = (s) =>
  h(
    "svg",
    { class: "board swatch", viewBox: "0 0 10 10", "aria-hidden": "true" },
    h(
      "g",
      { class: `cell s${s}` },
      h("rect", { x: 0.3, y: 0.3, width: 9.4, height: 9.4, rx: 1.7 }),
      s === 2 && h("circle", { class: "mark", cx: 5, cy: 5, r: 1.5 }),
      s === 3 && h("path", { class: "mark", d: "M3 3l4 4m0-4l-4 4" }),
    ),
  );

// -- mouse and keyboard --------------------------------------------------------------------------

/** @param {Event} event */
function squareOf(event) {
  const target = /** @type {Element} */ (event.target).closest("[data-square]");
  return target ? Number(target.getAttribute("data-square")) : null;
}

/** @param {Event} event @param {(square: number) => void} choose */
function clicked(event, choose) {
  const square = squareOf(event);
  if (square === null) return;
  set({ cursorShown: false });
  choose(square);
}

let byKeyboard = false;
document.addEventListener(
  "keydown",
  () => {
    byKeyboard = true;
  },
  true,
);
document.addEventListener(
  "pointerdown",
  () => {
    byKeyboard = false;
  },
  true,
);

/** @param {FocusEvent} event */
function focused(event) {
  const square = squareOf(event);
  if (square !== null) set({ cursor: square, cursorShown: byKeyboard });
}

/** @param {PointerEvent} event */
function hovered(event) {
  if (event.pointerType === "touch") return; // a finger has to rest first
  const square = squareOf(event);
  if (square !== get().pointed) set({ pointed: square });
}

/** @param {KeyboardEvent} event @param {(square: number) => void} choose */
function typed(event, choose) {
  const { game, cursor } = get();
  if (!game || event.altKey || event.metaKey) return;
  const [row, col] = [Math.floor(cursor / game.width), cursor % game.width];
  /** @type {Record<string, [number, number]>} */
  const steps = {
    ArrowUp: [row - 1, col],
    ArrowDown: [row + 1, col],
    ArrowLeft: [row, col - 1],
    ArrowRight: [row, col + 1],
    Home: event.ctrlKey ? [0, 0] : [row, 0],
    End: event.ctrlKey ? [game.height - 1, game.width - 1] : [row, game.width - 1],
    PageUp: [Math.max(row - 5, 0), col],
    PageDown: [Math.min(row + 5, game.height - 1), col],
  };
  if (event.key === " " || event.key === "Enter") {
    event.preventDefault();
    if (!event.repeat) choose(cursor);
    return;
  }
  const to = steps[event.key];
  if (!to) return;
  event.preventDefault();
  const [r, c] = [Math.min(Math.max(to[0], 0), game.height - 1), Math.min(Math.max(to[1], 0), game.width - 1)];
  focusSquare(r * game.width + c);
}

/** @param {number} square @param {boolean} [visibly] */
export function focusSquare(square, visibly = true) {
  set({ cursor: square, cursorShown: visibly });
  const node = document.querySelector(`#game-board [data-square="${square}"]`);
  if (node instanceof SVGElement) node.focus({ preventScroll: !visibly });
}
