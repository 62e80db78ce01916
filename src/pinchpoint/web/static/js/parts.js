// Small pieces that several views are made of.

import { h } from "../vendor/preact.js";
import { capital, outcome } from "./words.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Game} Game */

/** @type {Record<string, string>} */
const PATHS = {
  undo: "M9 7 4 12l5 5M4 12h10a6 6 0 0 1 0 12h-2",
  redo: "m15 7 5 5-5 5M20 12H10a6 6 0 0 0 0 12h2",
  restart: "M4 4v6h6M4.6 10a8.5 8.5 0 1 1-1 5",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  fit: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  bulb: "M9 18h6M10 21h4M8 14.5a6 6 0 1 1 8 0c-.7.6-1 1.3-1 2.5H9c0-1.2-.3-1.9-1-2.5z",
  map: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
  eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
  robot: "M12 3v4M6 7h12a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V9a2 2 0 0 1 2-2zM9 12v2M15 12v2",
  play: "M7 5v14l12-7z",
  pause: "M8 5v14M16 5v14",
  next: "M6 5v14l9-7zM18 5v14",
  back: "M18 5v14l-9-7zM6 5v14",
  close: "M6 6l12 12M18 6 6 18",
  share: "M12 15V4M8 8l4-4 4 4M5 12v7h14v-7",
  image: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9h.01",
  film: "M4 5h16v14H4zM8 5v14M16 5v14M4 9h4M4 15h4M16 9h4M16 15h4",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  gear: "M4 7h10M18 7h2M4 17h2M10 17h10M16 4.5v5M8 14.5v5",
  check: "m5 13 4 4L19 7",
  swords: "M5 3l12 12M19 3 7 15M4 17l3 3M17 20l3-3M5 15l4 4M15 19l4-4",
  flag: "M5 21V4h12l-2 4 2 4H5",
  sun:
    "M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM12 2v2M12 20v2M2 12h2M20 12h2" +
    "M5 5l1.5 1.5M17.5 17.5 19 19M19 5l-1.5 1.5M6.5 17.5 5 19",
  people:
    "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c0-4 3-6 6.5-6s6.5 2 6.5 6" +
    "M16 4.5a3.5 3.5 0 0 1 0 6.5M18 14.5c2.3.7 3.5 2.7 3.5 5.5",
};

/** @param {string} name */
export const icon = (name) =>
  h("svg", { class: "icon", viewBox: "0 0 24 26", "aria-hidden": "true" }, h("path", { d: PATHS[name] }));

/**
 * @param {string} name @param {string} label @param {() => any} onclick
 * @param {{disabled?: boolean, class?: string, pressed?: boolean, title?: string, id?: string}} [more]
 */
export const button = (name, label, onclick, more = {}) =>
  h(
    "button",
    {
      type: "button",
      class: `button ${more.class ?? ""}`,
      onclick,
      disabled: more.disabled ?? false,
      "aria-pressed": more.pressed === undefined ? null : String(more.pressed),
      title: more.title ?? null,
      id: more.id ?? null,
      key: more.id,
    },
    name && icon(name),
    h("span", null, label),
  );

/** @param {string} label @param {any} control @param {string} [note] */
export const field = (label, control, note) =>
  h("label", { class: "field" }, h("span", { class: "field-label" }, label, note && h("em", null, note)), control);

/**
 * @param {string} label @param {number} value @param {number} low @param {number} high @param {number} step
 * @param {(value: number) => void} onchange @param {string} [shown]
 */
export const slider = (label, value, low, high, step, onchange, shown) =>
  field(
    label,
    h("input", {
      type: "range",
      min: low,
      max: high,
      step,
      value: String(value),
      oninput: (/** @type {any} */ e) => onchange(Number(e.target.value)),
    }),
    shown ?? String(value),
  );

/**
 * @param {string} value @param {[string, string][]} choices @param {(value: string) => void} onchange
 * @param {Record<string, any>} [more]
 */
export const select = (value, choices, onchange, more = {}) =>
  h(
    "select",
    { ...more, value, onchange: (/** @type {any} */ e) => onchange(e.target.value) },
    choices.map(([name, label]) => h("option", { value: name, key: name }, label)),
  );

/** @param {string} href @param {any} children @param {Record<string, any>} [more] */
export const link = (href, children, more = {}) => h("a", { href: `/${href}`, ...more }, children);

/** What came of a game: its moves, counted up at the end, against par. @param {State} state @param {Game} game */
export function result(state, game) {
  const { par, finale, counted } = state;
  return [
    h(
      "p",
      { class: "counted", key: "counted" },
      "Cut in ",
      h("b", { id: "counted" }, finale === "cut" ? counted : game.ply),
      par?.value != null && [", par ", h("b", null, par.value)],
    ),
    h("p", { class: "small", key: "outcome" }, outcome(game, par) || "The analysis is coming …"),
  ];
}

/**
 * A daily board, and the player's result on it.
 * @param {string} day @param {string} mode @param {number} [moves] @param {boolean} [drawn]
 */
export const dayLink = (day, mode, moves, drawn = false) =>
  link(
    `daily/${day}/${mode}`,
    [drawn && emblem(mode), capital(mode), moves !== undefined && h("b", { title: "Your result" }, ` ${moves} ✓`)],
    { class: moves === undefined ? "button" : "button played", key: mode },
  );

/** From the last control of a window the focus goes to its first one, and back. @param {KeyboardEvent} event */
function stayInside(event) {
  const box = /** @type {Element} */ (event.currentTarget);
  const inside = [...box.querySelectorAll("button, a, input, select, textarea")];
  const [first, last] = [inside[0], inside[inside.length - 1]];
  const [edge, other] = event.shiftKey ? [first, last] : [last, first];
  if (document.activeElement !== edge && document.activeElement !== box) return;
  event.preventDefault();
  if (other instanceof HTMLElement) other.focus();
}

/**
 * A window over the page; Escape closes it.
 * @param {string} title @param {() => void} onclose @param {...any} children
 */
export const dialog = (title, onclose, ...children) =>
  h(
    "div",
    { class: "veil", key: "dialog", onclick: (/** @type {any} */ e) => e.target === e.currentTarget && onclose() },
    h(
      "div",
      {
        class: "dialog",
        role: "dialog",
        "aria-modal": "true",
        "aria-label": title,
        tabindex: -1,
        id: "dialog",
        onkeydown: (/** @type {KeyboardEvent} */ e) => {
          if (e.key === "Escape") onclose();
          else if (e.key === "Tab") stayInside(e);
        },
      },
      h(
        "div",
        { class: "dialog-head" },
        h("h2", null, title),
        h("button", { type: "button", class: "round", "aria-label": "Close", onclick: onclose }, icon("close")),
      ),
      ...children,
    ),
  );

/** A board as small as a stamp. @param {string[]} rows */
export function thumbnail(rows) {
  const squares = (/** @type {string} */ which) =>
    rows
      .flatMap((row, y) =>
        [...row].map((s, x) => (s === which ? `M${x * 10 + 0.6} ${y * 10 + 0.6}h8.8v8.8h-8.8z` : "")),
      )
      .join("");
  return h(
    "svg",
    { class: "thumbnail", viewBox: `0 0 ${rows[0].length * 10} ${rows.length * 10}`, "aria-hidden": "true" },
    h("path", { class: "open", d: squares("o") }),
    h("path", { class: "wall", d: squares("#") }),
  );
}

/**
 * The faces of those who give advice and race: squares of the board, with eyes.
 * @type {Record<string, [string, string][]>}
 */
const FACES = {
  student: [
    ["body active", "M8 14h24v22h-24z"],
    ["hat", "M20 3 38 10 20 17 2 10zM34 12v8"],
    ["white", "M15 22h.01M25 22h.01"],
    ["pupil", "M15 21h.01M25 21h.01"],
    ["mouth", "M15 29q5 5 10 0"],
  ],
  network: [
    ["hat", "M13 9V4M27 9V4"],
    ["body inactive", "M7 10h26v26h-26z"],
    ["white", "M14 20h.01M26 20h.01"],
    ["pupil", "M15 20h.01M25 20h.01"],
    ["mouth", "M14 29h12M18 27v4M22 27v4"],
  ],
  solver: [
    ["body attacked", "M7 8h26v28h-26z"],
    ["white", "M14 19h.01M26 19h.01"],
    ["pupil", "M14 19h.01M26 19h.01"],
    ["glasses", "M9 15h10v8h-10zM21 15h10v8h-10zM19 18h2"],
    ["mouth", "M16 30h8"],
  ],
  other: [
    ["body blocked", "M7 8h26v28h-26z"],
    ["white", "M14 19h.01M26 19h.01"],
    ["pupil", "M14 19h.01M26 19h.01"],
    ["mouth", "M17 29h6"],
  ],
};

/** @param {string} name */
export const face = (name) =>
  h(
    "svg",
    { class: "face", viewBox: "0 0 40 40", "aria-hidden": "true" },
    (FACES[name] ?? FACES.other).map(([part, d]) => h("path", { class: part, d })),
  );

/** @param {string} mode a small drawing for each mode */
export function emblem(mode) {
  /** @type {Record<string, string[]>} */
  const drawings = {
    network: ["11011", "11011", "11311", "11011", "11011"],
    flow: ["22022", "02220", "33333", "02220", "22022"],
    noodle: ["22222", "20002", "30222", "20200", "22202"],
    shatter: ["22322", "23232", "32223", "23232", "22322"],
  };
  const rows = drawings[mode] ?? ["10101", "01110", "11311", "01110", "10101"];
  return h(
    "svg",
    { class: "board emblem", viewBox: "0 0 50 50", "aria-hidden": "true" },
    rows.map((row, y) =>
      [...row].map((s, x) =>
        h("g", { class: `cell s${s}` }, h("rect", { x: x * 10 + 0.5, y: y * 10 + 0.5, width: 9, height: 9, rx: 2 })),
      ),
    ),
  );
}
