// The first page: choose a mode and a board.

import * as api from "../api.js";
import { newGame } from "../play.js";
import { get, set } from "../store.js";
import { attempt, notify } from "../talk.js";
import { h } from "../vdom.js";
import { capital, count, goal } from "../words.js";
import { button, dayLink, emblem, field, link, select, slider } from "./parts.js";

/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").Setup} Setup */

/** @param {Partial<Setup>} change */
const change = (change) => set({ setup: { ...get().setup, ...change } });

/** @type {[string, number, number][]}  name, side, density */
const SIZES = [["Small", 7, 0.8], ["Medium", 10, 0.8], ["Large", 14, 0.75], ["Huge", 20, 0.8]];

/** Today's boards and how far the player is with them. */
export async function loadHome() {
  const days = await attempt(() => api.read("/daily?count=1"));
  if (days) set({ today: days[0] });
  if (!get().me.consented) return;
  const stats = await attempt(() => api.read("/me/stats"));
  if (stats) set({ stats });
}

/** @param {State} state */
export function home(state) {
  const { about, setup } = state;
  if (!about) return h("p", { class: "empty" }, "One moment …");
  const mode = about.modes.find((m) => m.name === setup.mode) ?? about.modes[0];
  return h("div", { class: "page home", key: "home" },
    h("section", { class: "hero" },
      h("h1", null, "Find the choke point."),
      h("p", null, "Attack as few squares as you can. What you cut off goes quiet; when nothing is active any more, you are done.")),
    h("div", { class: "modes", role: "group", "aria-label": "Mode" }, about.modes.map((m) =>
      h("button", {
        key: m.name, type: "button", "aria-pressed": String(m.name === mode.name),
        class: "mode-card", onclick: () => change({ mode: m.name, options: {} }),
      }, emblem(m.name), h("span", { class: "mode-text" }, h("strong", null, capital(m.name)),
        h("span", null, goal(state, m.name)))))),
    h("div", { class: "columns" }, boardForm(state), otherWays(state, mode.name)));
}

/** @param {State} state */
function boardForm(state) {
  const { setup, about } = state;
  const mode = about?.modes.find((m) => m.name === setup.mode);
  const square = setup.height === setup.width;
  return h("form", {
    class: "card", "aria-label": "A random board",
    onsubmit: (/** @type {Event} */ e) => { e.preventDefault(); begin(); },
  },
  h("h2", null, "A random board"),
  h("div", { class: "chips", role: "group", "aria-label": "Usual boards" }, SIZES.map(([name, side, p]) =>
    h("button", {
      key: name, type: "button", class: "button", "aria-pressed": String(square && setup.height === side && setup.p === p),
      onclick: () => change({ height: side, width: side, p }),
    }, name))),
  slider("Size", setup.height, 5, 40, 1, (n) => change({ height: n, width: square ? n : setup.width }),
    square ? `${setup.height} × ${setup.width}` : `${setup.height} high`),
  slider("Density", Math.round(setup.p * 100), 40, 100, 1, (n) => change({ p: n / 100 }),
    `${Math.round(setup.p * 100)} % open`),
  h("details", { class: "more", id: "more" }, h("summary", null, `More: ${["width", "seed", ...(mode?.options ?? []).map((o) => o.name)].join(", ")}`),
    slider("Width", setup.width, 5, 40, 1, (n) => change({ width: n }), square ? "the same" : `${setup.width} wide`),
    field("Seed", h("input", {
      type: "text", inputmode: "numeric", pattern: "[0-9]*", maxlength: 15, placeholder: "any", value: setup.seed,
      oninput: (/** @type {any} */ e) => change({ seed: e.target.value }),
    })),
    mode?.options.map((option) => optionField(setup, option))),
  h("button", { type: "submit", class: "button primary big", id: "start" }, "Play"));
}

/** @param {Setup} setup @param {import("../types.js").ModeOption} option */
function optionField(setup, option) {
  const value = setup.options[option.name] ?? option.default;
  const put = (/** @type {any} */ v) => {
    const options = { ...setup.options, [option.name]: v };
    if (v === option.default) delete options[option.name];
    change({ options });
  };
  const label = capital(option.name);
  if (typeof option.default === "boolean")
    return field(label, select(String(value), [["false", "no"], ["true", "yes"]], (v) => put(v === "true")));
  if (option.choices.length)
    return field(label, select(value, option.choices.map((c) => [c, c]), put));
  const numeric = typeof option.default === "number";
  return field(label, h("input", {
    type: numeric ? "number" : "text", step: "any", value: String(value),
    onchange: (/** @type {any} */ e) => put(numeric ? Number(e.target.value) : e.target.value),
  }));
}

function begin() {
  const { setup } = get();
  const seed = setup.seed.trim();
  if (seed && !/^\d{1,15}$/.test(seed)) return notify("The seed is a whole number, or left empty.", true);
  return newGame({
    kind: "random", mode: setup.mode, options: setup.options, height: setup.height, width: setup.width,
    p: setup.p, ...(seed ? { seed: Number(seed) } : {}),
  });
}

/** @param {State} state @param {string} mode */
function otherWays(state, mode) {
  const { setup, game, today, me, stats } = state;
  const day = today?.day ?? state.about?.today;
  return h("div", { class: "stack" },
    game && !game.done && game.origin.kind !== "lesson" && link(`game/${game.id}`, [h("strong", null, "Go on with your game"),
      h("span", null, `${capital(game.mode)}, ${count(game.ply, "move")} so far`)], { class: "card row-link", key: "on" }),
    h("section", { class: "card", key: "daily" }, h("h2", null, "Today's boards"),
      h("p", null, "The same for everyone. Monday is small, Sunday is large."),
      h("div", { class: "chips" }, state.about?.modes.map((m) => dayLink(day ?? "", m.name, today?.played[m.name]))),
      me.consented && stats !== null && stats.streak > 0 && h("p", { class: "streak" },
        stats.streak === 1 ? "A streak begins: one day." : `Your streak: ${stats.streak} days in a row.`)),
    h("details", { class: "card", key: "paste" }, h("summary", null, "Paste or load a board"),
      h("p", null, "Rows of # (blocked) and o (open), or a share link."),
      field("Board or link", h("textarea", {
        rows: 6, spellcheck: "false", maxlength: 6000, value: setup.text,
        oninput: (/** @type {any} */ e) => change({ text: e.target.value }),
      })),
      h("div", { class: "chips" },
        h("label", { class: "button" }, "Load a file",
          h("input", { type: "file", accept: ".txt,text/plain", class: "sr-only", onchange: loadFile })),
        button("", "Play this board", () => playText(mode), { class: "primary" }))),
    link("lesson", [h("strong", null, "How it works"), h("span", null, "A lesson of one minute")],
      { class: "card row-link", key: "lesson" }));
}

/** @param {any} event */
async function loadFile(event) {
  const file = event.target.files?.[0];
  if (!file) return;
  if (file.size > 6000) return notify("That file is too large for a board of 40 × 40.", true);
  change({ text: await file.text() });
}

/** @param {string} mode */
function playText(mode) {
  const { setup } = get();
  const code = setup.text.match(/#\/board\/([\w-]+)/);
  if (code) return newGame({ kind: "link", code: code[1] });
  const rows = setup.text.split(/\r?\n/).map((row) => row.trim()).filter(Boolean);
  if (!rows.length) return notify("There is nothing to play yet: paste a board first.", true);
  return newGame({ kind: "text", mode, options: setup.options, rows });
}
