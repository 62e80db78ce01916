// Large boards on small screens: first the whole board, then as near as a finger needs it.

import { h } from "../../vendor/preact.js";
import { fetchOutlook } from "../advice.js";
import { icon } from "../parts.js";
import { get, set } from "../state.js";

/** @typedef {import("../types.js").State} State */

const [LEAST, MOST] = [1, 6];

/** @param {number} zoom */
const zoomTo = (zoom) => set({ zoom: Math.min(MOST, Math.max(LEAST, zoom)) });

/** The fingers on the board, and how far apart they were. @type {Map<number, [number, number]>} */
const fingers = new Map();
let apart = 0;

const spread = () => {
  const [a, b] = [...fingers.values()];
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
};

const LONG = 350; // ms that a finger rests to see what an attack would cut off
let resting = 0;
let held = false;

/** @param {PointerEvent} event */
function down(event) {
  if (event.pointerType !== "touch") return;
  const square = /** @type {Element} */ (event.target).closest("[data-square]")?.getAttribute("data-square");
  clearTimeout(resting);
  held = false;
  resting = window.setTimeout(() => {
    if (!square || !get().outlook) return;
    held = true;
    set({ pointed: Number(square) });
  }, LONG);
  fingers.set(event.pointerId, [event.clientX, event.clientY]);
  if (fingers.size !== 2) return;
  clearTimeout(resting);
  apart = spread() / get().zoom;
}

/** @param {PointerEvent} event */
function move(event) {
  const last = fingers.get(event.pointerId);
  if (!last) return;
  // No finger is quite still.
  if (Math.hypot(event.clientX - last[0], event.clientY - last[1]) > 6) clearTimeout(resting);
  fingers.set(event.pointerId, [event.clientX, event.clientY]);
  if (fingers.size === 2 && apart) zoomTo(spread() / apart);
}

/** @param {PointerEvent} event */
function up(event) {
  clearTimeout(resting);
  fingers.delete(event.pointerId);
  if (held) set({ pointed: null });
}

/** Who only wanted to look does not attack when the finger is lifted. @param {Event} event */
function click(event) {
  if (held) event.stopPropagation();
  held = false;
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
  if (state.settings.preview && !state.outlook) queueMicrotask(fetchOutlook);
  const large = Math.max(game?.width ?? 0, game?.height ?? 0) > 12;
  return h(
    "div",
    { class: "frame", key: "frame" },
    h(
      "div",
      {
        class: "pan",
        id: "pan",
        style: { "--zoom": String(zoom), "--w": String(game?.width ?? 1), "--h": String(game?.height ?? 1) },
        onpointerdown: down,
        onpointermove: move,
        onpointerup: up,
        onpointercancel: up,
        onwheel: wheel,
        onClickCapture: click,
      },
      drawing,
    ),
    (large || zoom !== 1) &&
      h(
        "div",
        { class: "zoom" },
        h(
          "button",
          { type: "button", class: "round", "aria-label": "Smaller", onclick: () => zoomTo(zoom / 1.3) },
          icon("minus"),
        ),
        h(
          "button",
          { type: "button", class: "round", "aria-label": "Whole board", onclick: () => zoomTo(1) },
          icon("fit"),
        ),
        h(
          "button",
          { type: "button", class: "round", "aria-label": "Larger", onclick: () => zoomTo(zoom * 1.3) },
          icon("plus"),
        ),
      ),
  );
}
