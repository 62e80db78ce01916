// Small pieces that several views are made of.

import { icon } from "../icons.js";
import { h } from "../vdom.js";
import { capital } from "../words.js";

/**
 * @param {string} name @param {string} label @param {() => any} onclick
 * @param {{disabled?: boolean, class?: string, pressed?: boolean, title?: string, id?: string}} [more]
 */
export const button = (name, label, onclick, more = {}) =>
  h("button", {
    type: "button", class: `button ${more.class ?? ""}`, onclick, disabled: more.disabled ?? false,
    "aria-pressed": more.pressed === undefined ? null : String(more.pressed), title: more.title ?? null,
    id: more.id ?? null,
  }, name && icon(name), h("span", null, label));

/** @param {string} label @param {any} control @param {string} [note] */
export const field = (label, control, note) =>
  h("label", { class: "field" }, h("span", { class: "field-label" }, label, note && h("em", null, note)), control);

/**
 * @param {string} label @param {number} value @param {number} low @param {number} high @param {number} step
 * @param {(value: number) => void} onchange @param {string} [shown]
 */
export const slider = (label, value, low, high, step, onchange, shown) =>
  field(label, h("input", {
    type: "range", min: low, max: high, step, value: String(value),
    oninput: (/** @type {any} */ e) => onchange(Number(e.target.value)),
  }), shown ?? String(value));

/** @param {string} value @param {[string, string][]} choices @param {(value: string) => void} onchange @param {Record<string, any>} [more] */
export const select = (value, choices, onchange, more = {}) =>
  h("select", { ...more, value, onchange: (/** @type {any} */ e) => onchange(e.target.value) },
    choices.map(([name, label]) => h("option", { value: name, key: name }, label)));

/** @param {string} href @param {any} children @param {Record<string, any>} [more] */
export const link = (href, children, more = {}) => h("a", { href: `#/${href}`, ...more }, children);

/** A daily board, and the player's best result on it. @param {string} day @param {string} mode @param {number} [moves] */
export const dayLink = (day, mode, moves) => link(`daily/${day}/${mode}`,
  [capital(mode), moves !== undefined && h("b", { title: "Your best" }, ` ${moves} ✓`)],
  { class: moves === undefined ? "button" : "button played", key: mode });

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
  h("div", { class: "veil", key: "dialog", onclick: (/** @type {any} */ e) => e.target === e.currentTarget && onclose() },
    h("div", {
      class: "dialog", role: "dialog", "aria-modal": "true", "aria-label": title, tabindex: -1, id: "dialog",
      onkeydown: (/** @type {KeyboardEvent} */ e) => {
        if (e.key === "Escape") onclose();
        else if (e.key === "Tab") stayInside(e);
      },
    }, h("header", null, h("h2", null, title),
      h("button", { type: "button", class: "round", "aria-label": "Close", onclick: onclose }, icon("close"))),
    ...children));

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
  return h("svg", { class: "board emblem", viewBox: "0 0 50 50", "aria-hidden": "true" },
    rows.map((row, y) => [...row].map((s, x) =>
      h("g", { class: `cell s${s}` }, h("rect", { x: x * 10 + 0.5, y: y * 10 + 0.5, width: 9, height: 9, rx: 2 })))));
}
