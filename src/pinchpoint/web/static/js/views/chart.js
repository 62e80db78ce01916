// Par to go after each move: a line that falls by one with every good move.

import { h } from "../../vendor/preact.js";
import { set } from "../state.js";

/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").Analysis} Analysis */

const [HIGH, LEFT, RIGHT, TOP, LOW] = [210, 34, 16, 14, 34];

/** @param {State} state @param {Analysis} analysis */
export function chart(state, analysis) {
  const wide = Math.max(260, Math.min(1000, window.innerWidth - 70)); // drawn at its size: text stays legible
  const values = [analysis.moves[0]?.to_go ?? null, ...analysis.moves.map((m) => m.after)];
  const last = Math.max(values.length - 1, 1);
  const highest = Math.max(1, ...values.map((v) => v ?? 0));
  const x = (/** @type {number} */ i) => LEFT + (i / last) * (wide - LEFT - RIGHT);
  const y = (/** @type {number} */ v) => HIGH - LOW - (v / highest) * (HIGH - LOW - TOP);
  const at = Math.min(state.analysisAt, values.length - 1);
  const known = values.map((v, i) => (v === null ? "" : `${x(i).toFixed(1)},${y(v).toFixed(1)}`)).filter(Boolean);
  const best = analysis.par.value;
  return h(
    "svg",
    {
      class: "chart",
      viewBox: `0 0 ${wide} ${HIGH}`,
      role: "img",
      "aria-label": `Par to go: ${values.map((v) => v ?? "?").join(", ")}`,
    },
    ticks(highest, 5).map((v) => [
      h("line", { class: "axis", x1: LEFT, x2: wide - RIGHT, y1: y(v), y2: y(v) }),
      h("text", { class: "left", x: LEFT - 10, y: y(v) + 4 }, v),
    ]),
    ticks(last, wide / 70).map((i) => h("text", { x: x(i), y: HIGH - 10 }, i === 0 ? "start" : i)),
    best !== null && h("line", { class: "ideal", x1: x(0), y1: y(best), x2: x(best), y2: y(0) }),
    h("line", { class: "here", x1: x(at), x2: x(at), y1: TOP / 2, y2: HIGH - LOW }),
    h("polyline", { points: known.join(" ") }),
    values.map(
      (v, i) =>
        v !== null &&
        h("circle", {
          key: i,
          cx: x(i),
          cy: y(v),
          r: values.length > 60 ? 2.5 : 5,
          class: i && analysis.moves[i - 1].cost ? "lost" : "",
        }),
    ),
    values.map((_, i) =>
      h("rect", {
        key: `hit ${i}`,
        class: "hit",
        x: x(i - 0.5),
        y: 0,
        width: x(1) - x(0),
        height: HIGH,
        onclick: () => set({ analysisAt: i, replaying: false }),
      }),
    ),
  );
}

/** Whole numbers from 0 up to the last, not too many of them. @param {number} last @param {number} most */
function ticks(last, most) {
  const step = Math.ceil(last / most);
  return Array.from({ length: Math.floor(last / step) + 1 }, (_, i) => i * step);
}
