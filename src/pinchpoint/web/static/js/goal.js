// Seeing the goal: the balance of pieces, the water that still runs, the loops that are left, and the cut.
// This only draws what the states of the squares show; whether a game is over, the server says.

import { h } from "../vendor/preact.js";
import { around } from "./session.js";
import { colour, count } from "./words.js";

/** @typedef {import("./types.js").Game} Game */
/** @typedef {import("./types.js").State} State */

/** @param {number} square @param {number} width @returns {[number, number]} */
const middle = (square, width) => [(square % width) * 10 + 5, Math.floor(square / width) * 10 + 5];

/** @param {number[]} squares @param {number} width */
const polyline = (squares, width) => squares.map((s, i) => `${i ? "L" : "M"}${middle(s, width).join(" ")}`).join("");

/**
 * What the page draws and says about a mode while a game goes on; other modes have the usual row.
 * @typedef {object} ModeRow
 * @property {(game: Game, status: string) => any} [overlay]  drawn over the board
 * @property {(game: Game, status: string, active: string) => any} [left]  how far it is to the end
 */

/** @type {Record<string, ModeRow>} */
const MODES = {
  network: { left: balance },
  flow: {
    overlay: water,
    left: (_, status) => (status.includes("1") ? "Water still gets through." : "The water has stopped."),
  },
  noodle: { overlay: loops, left: ({ width }, status) => `${count(loopCount(status, width), "loop")} left` },
  shatter: {
    left: (game, status, active) => `${activeIn(status)} ${active} squares in pieces larger than ${game.best}`,
  },
};

/** @param {string} status */
const activeIn = (status) => [...status].filter((s) => s === "1").length;

/** What is drawn over a board that is being played. @param {Game} game @param {string} status */
export const goalOverlay = (game, status) => MODES[game.mode]?.overlay?.(game, status) ?? null;

/** How far it is to the end. @param {State} state @param {Game} game @param {string} status */
export function left(state, game, status) {
  const active = colour(state, 1);
  const say = MODES[game.mode]?.left ?? ((_, now) => `${activeIn(now)} ${active} squares left`);
  return h("div", { class: "left" }, say(game, status, active));
}

/** The water that still runs. @param {Game} game @param {string} status */
function water(game, status) {
  const { width, height } = game;
  const axis = game.options.axis ?? "vertical";
  const ways = [
    ...(axis !== "horizontal" ? streams(status, width, height, false) : []),
    ...(axis !== "vertical" ? streams(status, width, height, true) : []),
  ];
  return ways.map((d, i) => h("path", { key: `stream ${i}`, class: "stream", d, "aria-hidden": "true" }));
}

/** The loops that are left. @param {Game} game @param {string} status */
function loops({ width }, status) {
  const d = core(status, width)
    .map(([a, b]) => polyline([a, b], width))
    .join("");
  return d ? h("path", { key: "loops", class: "loops", d, "aria-hidden": "true" }) : null;
}

/** A shortest way of the water for each piece that lets it through.
 * @param {string} status @param {number} width @param {number} height @param {boolean} sideways */
export function streams(status, width, height, sideways) {
  const first = (/** @type {number} */ s) => (sideways ? s % width === 0 : s < width);
  const last = (/** @type {number} */ s) => (sideways ? s % width === width - 1 : s >= width * (height - 1));
  /** @type {Map<number, number>} */
  const from = new Map();
  const ways = [];
  const taken = new Set();
  let ring = [...status].map((_, s) => s).filter((s) => status[s] === "1" && first(s));
  for (const s of ring) from.set(s, -1);
  /** @type {number[]} */
  const ends = [];
  while (ring.length) {
    const next = [];
    for (const s of ring) {
      if (last(s)) ends.push(s);
      for (const t of around(s, width, status.length)) {
        if (status[t] !== "1" || from.has(t)) continue;
        from.set(t, s);
        next.push(t);
      }
    }
    ring = next;
  }
  for (const end of ends) {
    const way = [end];
    while (from.get(way[0]) !== -1) way.unshift(/** @type {number} */ (from.get(way[0])));
    if (way.some((s) => taken.has(s))) continue;
    // One stream a piece: everything that hangs together with it is taken.
    const stack = [end];
    while (stack.length) {
      const s = /** @type {number} */ (stack.pop());
      if (taken.has(s) || status[s] !== "1") continue;
      taken.add(s);
      stack.push(...around(s, width, status.length));
    }
    const [x0, y0] = middle(way[0], width);
    const [x1, y1] = middle(end, width);
    ways.push(
      sideways
        ? `M${x0 - 5} ${y0}${polyline(way, width).replace("M", "L")}L${x1 + 5} ${y1}`
        : `M${x0} ${y0 - 5}${polyline(way, width).replace("M", "L")}L${x1} ${y1 + 5}`,
    );
  }
  return ways;
}

/** The neighbouring squares of pieces that are left when dead ends are taken away again and again.
 * @param {string} status @param {number} width @returns {[number, number][]} */
function core(status, width) {
  const open = new Set([...status].map((_, s) => s).filter((s) => status[s] === "1"));
  const near = (/** @type {number} */ s) => around(s, width, status.length).filter((t) => open.has(t));
  const ends = [...open].filter((s) => near(s).length < 2);
  while (ends.length) {
    const s = /** @type {number} */ (ends.pop());
    if (!open.delete(s)) continue;
    ends.push(...near(s).filter((t) => near(t).length < 2));
  }
  return [...open].flatMap((s) =>
    near(s)
      .filter((t) => t > s)
      .map((t) => /** @type {[number, number]} */ ([s, t])),
  );
}

/**
 * The number of independent loops of the active pieces: edges − squares + pieces.
 * @param {string} status @param {number} width
 */
export function loopCount(status, width) {
  const open = [...status].map((_, s) => s).filter((s) => status[s] === "1");
  let edges = 0,
    pieces = 0;
  const reached = new Set();
  for (const s of open) {
    edges += around(s, width, status.length).filter((t) => t > s && status[t] === "1").length;
    if (reached.has(s)) continue;
    pieces += 1;
    const stack = [s];
    while (stack.length) {
      const t = /** @type {number} */ (stack.pop());
      if (reached.has(t)) continue;
      reached.add(t);
      stack.push(...around(t, width, status.length).filter((u) => status[u] === "1"));
    }
  }
  return edges - open.length + pieces;
}

/** Network: the largest piece against the largest that was cut off. @param {Game} game @param {string} status */
function balance(game, status) {
  const largest = activeIn(status);
  const most = Math.max(largest, game.best, 1);
  return h(
    "div",
    { class: "balance", role: "img", "aria-label": `Largest piece ${largest}, largest piece cut off ${game.best}` },
    h("span", null, "largest"),
    h("i", { class: "now", style: { "--share": String(largest / most) } }),
    h("b", null, largest),
    h("span", null, "cut off"),
    h("i", { class: "cut", style: { "--share": String(game.best / most) } }),
    h("b", null, game.best),
  );
}

/** The cut, as the server found it: a line from square to square, and out to the border where it ends there.
 * @param {Pick<Game, "width"|"height">} size @param {number[]} cut */
function cutLine({ width, height }, cut) {
  const d = cutPath(cut, width, height);
  return d ? h("path", { key: "cut", class: "cut-line", d, "aria-hidden": "true" }) : null;
}

/** What a board shows at the end: the cut, and its sides in colours of their own.
 * @param {Pick<Game, "width"|"height"|"cut">} game */
export const ending = ({ width, height, cut }) => ({
  over: cutLine({ width, height }, cut),
  parts: cut.length ? partsOf(cut, width, width * height) : null,
});

/** @param {number[]} cut @param {number} width @param {number} height */
export function cutPath(cut, width, height) {
  const squares = new Set(cut);
  let d = "";
  for (const s of cut) {
    const near = aroundCorners(s, width, width * height).filter((t) => squares.has(t));
    // By a corner only where there is no way by sides: a line has no triangles.
    const joined = near.filter(
      (t) => besides(s, t, width) || !near.some((u) => besides(s, u, width) && besides(u, t, width)),
    );
    for (const t of joined) if (t > s) d += polyline([s, t], width);
    if (joined.length < 2) d += outwards(s, joined.length ? 1 : 2, joined[0], width, height);
  }
  return d;
}

/** The parts of the board on the sides of the cut: for each square the number of its part, the largest first.
 * @param {number[]} cut @param {number} width @param {number} squares @returns {number[]} */
export function partsOf(cut, width, squares) {
  const part = Array(squares).fill(-1);
  const wall = new Set(cut);
  /** @type {number[]} */
  const sizes = [];
  for (let start = 0; start < squares; start++) {
    if (part[start] >= 0 || wall.has(start)) continue;
    const stack = [start];
    part[start] = sizes.push(0) - 1;
    while (stack.length) {
      const s = /** @type {number} */ (stack.pop());
      sizes[part[s]]++;
      for (const t of around(s, width, squares)) {
        if (part[t] >= 0 || wall.has(t)) continue;
        part[t] = part[s];
        stack.push(t);
      }
    }
  }
  const order = sizes.map((_, i) => i).sort((a, b) => sizes[b] - sizes[a]);
  return part.map((p) => order.indexOf(p));
}

/** Whether two squares share a side. @param {number} s @param {number} t @param {number} width */
const besides = (s, t, width) => s % width === t % width || Math.floor(s / width) === Math.floor(t / width);

/** Lines from a square to the sides of the board that it lies at, away from its neighbour first.
 * @param {number} s @param {number} most @param {number|undefined} from @param {number} width @param {number} height */
function outwards(s, most, from, width, height) {
  const [x, y] = middle(s, width);
  const [fx, fy] = from === undefined ? [x, y] : middle(from, width);
  const ways = [
    [x === 5, -5, 0],
    [x === width * 10 - 5, 5, 0],
    [y === 5, 0, -5],
    [y === height * 10 - 5, 0, 5],
  ].filter(([at]) => at);
  const away = (/** @type {any[]} */ [, dx, dy]) => dx * (fx - x) + dy * (fy - y);
  const chosen = ways.sort((a, b) => away(a) - away(b)).slice(0, most);
  return chosen.map(([, dx, dy]) => `M${x} ${y}l${dx} ${dy}`).join("");
}

/** @param {number} square @param {number} width @param {number} squares */
function aroundCorners(square, width, squares) {
  const col = square % width;
  return [square, square - width, square + width]
    .flatMap((s) => [s, ...(col > 0 ? [s - 1] : []), ...(col < width - 1 ? [s + 1] : [])])
    .filter((s) => s !== square && s >= 0 && s < squares);
}
