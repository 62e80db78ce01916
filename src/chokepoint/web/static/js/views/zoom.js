// Large boards on small screens: squares keep a size that a finger can hit, and the board pans.

import { icon } from "../icons.js";
import { get, set } from "../store.js";
import { h } from "../vdom.js";

/** @typedef {import("../types.js").State} State */

const [LEAST, MOST] = [0.5, 4];

/** @param {number} zoom */
const zoomTo = (zoom) => set({ zoom: Math.min(MOST, Math.max(LEAST, zoom)) });

/** The fingers on the board, and how far apart they were. @type {Map<number, [number, number]>} */
const fingers = new Map();
let apart = 0;

const spread = () => {
  const [a, b] = [...fingers.values()];
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
};

/** @param {PointerEvent} event */
function down(event) {
  if (event.pointerType !== "touch") return;
  fingers.set(event.pointerId, [event.clientX, event.clientY]);
  if (fingers.size === 2) apart = spread() / get().zoom;
}

/** @param {PointerEvent} event */
function move(event) {
  if (!fingers.has(event.pointerId)) return;
  fingers.set(event.pointerId, [event.clientX, event.clientY]);
  if (fingers.size === 2 && apart) zoomTo(spread() / apart);
}

/** @param {PointerEvent} event */
function up(event) {
  fingers.delete(event.pointerId);
}

/** @param {WheelEvent} event */
function wheel(event) {
  if (!event.ctrlKey) return;
  event.preventDefault();
  zoomTo(get().zoom * Math.exp(-event.deltaY / 400));
}

/** A board that can be panned and zoomed. @param {State} state @param {any} drawing */
export function zoomable(state, drawing) {
  const { zoom, game } = state;
  const large = Math.max(game?.width ?? 0, game?.height ?? 0) > 12;
  return h("div", { class: "frame", key: "frame" },
    h("div", {
      class: "pan", id: "pan", style: { "--zoom": String(zoom) }, onpointerdown: down, onpointermove: move,
      onpointerup: up, onpointercancel: up, onwheel: wheel,
    }, drawing),
    (large || zoom !== 1) && h("div", { class: "zoom" },
      h("button", { type: "button", class: "round", "aria-label": "Smaller", onclick: () => zoomTo(zoom / 1.3) }, icon("minus")),
      h("button", { type: "button", class: "round", "aria-label": "Whole board", onclick: () => zoomTo(fit()) }, icon("fit")),
      h("button", { type: "button", class: "round", "aria-label": "Larger", onclick: () => zoomTo(zoom * 1.3) }, icon("plus"))));
}

/** The zoom at which the whole board is in view. */
function fit() {
  const pan = document.getElementById("pan");
  const drawing = pan?.querySelector("svg");
  if (!pan || !drawing) return 1;
  const box = drawing.getBoundingClientRect();
  const tall = parseFloat(getComputedStyle(pan).maxHeight);
  return get().zoom * Math.min(pan.clientWidth / box.width, tall / box.height);
}
