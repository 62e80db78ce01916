// Seeing the goal: the balance of pieces, the water that still runs, the loops that are left, and the cut.
// This only draws what the states of the squares show; whether a game is over, the server says.

import { h } from "../vendor/preact.js";
import { around } from "./play.js";

/** @typedef {import("./types.js").Game} Game */

/** @param {number} square @param {number} width @returns {[number, number]} */
const middle = (square, width) => [(square % width) * 10 + 5, Math.floor(square / width) * 10 + 5];

/** @param {number[]} squares @param {number} width */
const polyline = (squares, width) => squares.map((s, i) => `${i ? "L" : "M"}${middle(s, width).join(" ")}`).join("");

/**
 * What the drawings have to know about a mode.
 * @typedef {object} Look
 * @property {(game: Game, status: string) => any} [overlay] draws over a board that is being played
 * @property {string} [axis] the way that water runs, where the game does not say; no water without it
 * @property {boolean} [scattered] the attacks make no line
 */

/** @type {Record<string, Look>} */
const LOOKS = {
  flow: { overlay: water, axis: "vertical" },
  noodle: { overlay: loops, scattered: true },
};

/** @param {Game} game @returns {Look} */
const look = (game) => LOOKS[game.mode] ?? {};

/** The way that water runs: vertical, horizontal or both; undefined where none runs. @param {Game} game */
const waterAxis = (game) => look(game).axis && (game.options.axis ?? look(game).axis);

/** What is drawn over a board that is being played. @param {Game} game @param {string} status */
export const goalOverlay = (game, status) => look(game).overlay?.(game, status) ?? null;

/** The water that still runs. @param {Game} game @param {string} status */
function water(game, status) {
  const { width, height } = game;
  const axis = waterAxis(game);
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
export function balance(game, status) {
  const largest = [...status].filter((s) => s === "1").length;
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

const REACH = 8; // steps from one attack to the next, over blocked squares

/** The cut: lines from attack to attack and out to the border, over blocked squares, as a wall runs.
 * @param {Game} game @param {number[]} moves */
export function cutLine(game, moves) {
  const ways = look(game).scattered ? [] : walls(game, moves);
  const d = ways.map((squares) => polyline(squares, game.width)).join("");
  return h("path", {
    key: "cut",
    class: "cut-line",
    d: d || polyline([moves[0] ?? 0], game.width),
    "aria-hidden": "true",
  });
}

/** Short ways between attacked squares, no more than it takes to join them, and from there out to the border.
 * @param {Game} game @param {number[]} moves @returns {number[][]} */
export function walls(game, moves) {
  const attacked = new Set(moves);
  const ways = moves.flatMap((square) => waysFrom(square, game)).sort((a, b) => a.length - b.length);
  /** @type {Map<number, number>} */
  const group = new Map(moves.map((s) => [s, s]));
  const root = (/** @type {number} */ s) => {
    while (group.get(s) !== s) s = /** @type {number} */ (group.get(s));
    return s;
  };
  /** @type {Map<number, number>} */
  const joints = new Map();
  const used = [];
  for (const way of ways) {
    const [a, b] = [way[0], way[way.length - 1]];
    if (!attacked.has(b) || root(a) === root(b)) continue;
    group.set(root(a), root(b));
    for (const s of [a, b]) joints.set(s, (joints.get(s) ?? 0) + 1);
    used.push(way);
  }
  // The water is stopped from one side to the other. Elsewhere a cut goes on wherever it has a loose end.
  const stopsWater = Boolean(waterAxis(game));
  /** @type {Map<number, Set<string>>} */
  const out = new Map();
  for (const way of ways) {
    const from = stopsWater ? root(way[0]) : way[0];
    const left = out.get(from) ?? new Set();
    out.set(from, left);
    for (const side of sides(way[way.length - 1], game)) {
      if (left.has(side) || (!stopsWater && left.size + (joints.get(from) ?? 0) >= 2)) continue;
      left.add(side);
      used.push(way);
    }
  }
  return used.filter((way) => way.length > 1);
}

/** The shortest ways over blocked squares, by sides and corners, that end at an attacked square or anywhere
 * at the border.
 * @param {number} from @param {Game} game @returns {number[][]} */
function waysFrom(from, game) {
  const { status, width } = game;
  const found = [[from]];
  let ring = [[from]];
  const reached = new Set([from]);
  for (let step = 0; step < REACH; step++) {
    const next = [];
    for (const way of ring) {
      for (const s of aroundCorners(way[way.length - 1], width, status.length)) {
        if (reached.has(s) || (status[s] !== "0" && status[s] !== "3")) continue;
        reached.add(s);
        found.push([...way, s]);
        if (status[s] === "0") next.push([...way, s]);
      }
    }
    ring = next;
  }
  return found;
}

/** The sides of the board that a square is at and where a wall may end: not where water enters and leaves.
 * @param {number} square @param {Game} game @returns {string[]} */
function sides(square, game) {
  const { width, height } = game;
  const axis = waterAxis(game) ?? "both";
  const [row, col] = [Math.floor(square / width), square % width];
  return [
    ...(axis === "horizontal" ? [] : [col === 0 && "left", col === width - 1 && "right"]),
    ...(axis === "vertical" ? [] : [row === 0 && "top", row === height - 1 && "bottom"]),
  ].filter((side) => side !== false);
}

/** @param {number} square @param {number} width @param {number} squares */
function aroundCorners(square, width, squares) {
  const col = square % width;
  return [square, square - width, square + width]
    .flatMap((s) => [s, ...(col > 0 ? [s - 1] : []), ...(col < width - 1 ? [s + 1] : [])])
    .filter((s) => s !== square && s >= 0 && s < squares);
}
