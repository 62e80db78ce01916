// Choosing a board: mode, size, density, or one that is pasted.

import { h } from "../../vendor/preact.js";
import { button, emblem, field, select, slider } from "../parts.js";
import { newGame } from "../session.js";
import { get, notify, set } from "../state.js";
import { capital, codeIn, goal, OPTIONS } from "../words.js";

/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").Setup} Setup */

/** @param {Partial<Setup>} change */
const change = (change) => set({ setup: { ...get().setup, ...change } });

/**
 * Usual boards: name, side, density. Those of noodle are small, so that par stays within 15.
 * @type {Record<string, [string, number, number][]>}
 */
export const SIZES = {
  "": [
    ["Small", 7, 0.8],
    ["Medium", 10, 0.8],
    ["Large", 14, 0.75],
    ["Huge", 20, 0.8],
  ],
  noodle: [
    ["Small", 6, 0.75],
    ["Medium", 8, 0.7],
    ["Large", 10, 0.65],
    ["Huge", 12, 0.6],
  ],
};

/** A mode with its usual board. @param {string} mode @returns {Partial<Setup>} */
export function usual(mode) {
  const [, side, p] = (SIZES[mode] ?? SIZES[""])[1];
  return { mode, options: {}, height: side, width: side, p };
}

/** @param {State} state */
export function newView(state) {
  const { about, setup } = state;
  if (!about) return h("p", { class: "empty" }, "One moment …");
  return h(
    "div",
    { class: "page", key: "new" },
    h("section", { class: "hero" }, h("h1", null, "Choose a board")),
    modeCards(state, (mode) => change(usual(mode))),
    h("div", { class: "columns" }, boardForm(state), pasteForm(state, setup.mode)),
  );
}

/** @param {State} state @param {(mode: string) => void} choose */
export const modeCards = (state, choose) =>
  h(
    "div",
    { class: "modes", role: "group", "aria-label": "Mode" },
    state.about?.modes.map((m) =>
      h(
        "button",
        {
          key: m.name,
          type: "button",
          "aria-pressed": String(m.name === state.setup.mode),
          class: "mode-card",
          onclick: () => choose(m.name),
        },
        emblem(m.name),
        h("span", { class: "mode-text" }, h("strong", null, capital(m.name)), h("span", null, goal(state, m.name))),
      ),
    ),
    h("p", { class: "chosen-goal" }, goal(state, state.setup.mode)),
  );

/** @param {State} state */
function boardForm(state) {
  const { setup, about } = state;
  const mode = about?.modes.find((m) => m.name === setup.mode);
  const square = setup.height === setup.width;
  return h(
    "form",
    {
      class: "card",
      "aria-label": "A random board",
      onsubmit: (/** @type {Event} */ e) => {
        e.preventDefault();
        begin();
      },
    },
    h("h2", null, "A random board"),
    h(
      "div",
      { class: "chips", role: "group", "aria-label": "Usual boards" },
      (SIZES[setup.mode] ?? SIZES[""]).map(([name, side, p]) =>
        h(
          "button",
          {
            key: name,
            type: "button",
            class: "button",
            "aria-pressed": String(square && setup.height === side && setup.p === p),
            onclick: () => change({ height: side, width: side, p }),
          },
          name,
        ),
      ),
    ),
    slider(
      "Size",
      setup.height,
      5,
      40,
      1,
      (n) => change({ height: n, width: square ? n : setup.width }),
      square ? `${setup.height} × ${setup.width}` : `${setup.height} high`,
    ),
    slider(
      "Density",
      Math.round(setup.p * 100),
      40,
      100,
      1,
      (n) => change({ p: n / 100 }),
      `${Math.round(setup.p * 100)} % open`,
    ),
    h(
      "details",
      { class: "more", id: "more" },
      h(
        "summary",
        null,
        `More: ${["width", "seed", ...(mode?.options ?? []).map((o) => labelOf(o.name).toLowerCase())].join(", ")}`,
      ),
      slider("Width", setup.width, 5, 40, 1, (n) => change({ width: n }), square ? "the same" : `${setup.width} wide`),
      field(
        "Seed",
        h("input", {
          type: "text",
          inputmode: "numeric",
          pattern: "[0-9]*",
          maxlength: 15,
          placeholder: "any",
          value: setup.seed,
          oninput: (/** @type {any} */ e) => change({ seed: e.target.value }),
        }),
      ),
      mode?.options.map((option) => optionField(setup, option)),
    ),
    h("button", { type: "submit", class: "button primary big", id: "start" }, "Play"),
  );
}

/** @param {string} option */
const labelOf = (option) => OPTIONS[option]?.label ?? capital(option);

/** @param {Setup} setup @param {import("../types.js").ModeOption} option */
function optionField(setup, option) {
  const value = setup.options[option.name] ?? option.default;
  const put = (/** @type {any} */ v) => {
    const options = { ...setup.options, [option.name]: v };
    if (v === option.default) delete options[option.name];
    change({ options });
  };
  const { label, about, values } = OPTIONS[option.name] ?? {
    label: capital(option.name),
    about: "",
    values: undefined,
  };
  const named = (/** @type {string} */ v) => /** @type {[string, string]} */ ([v, values?.[v] ?? v]);
  const explained = (/** @type {any} */ control) =>
    h("div", { class: "option" }, field(label, control), about && h("p", { class: "small" }, about));
  if (typeof option.default === "boolean")
    return explained(select(String(value), ["false", "true"].map(named), (v) => put(v === "true")));
  if (option.choices.length) return explained(select(value, option.choices.map(named), put));
  const numeric = typeof option.default === "number";
  return explained(
    h("input", {
      type: numeric ? "number" : "text",
      step: "any",
      value: String(value),
      onchange: (/** @type {any} */ e) => put(numeric ? Number(e.target.value) : e.target.value),
    }),
  );
}

function begin() {
  const { setup } = get();
  const seed = setup.seed.trim();
  if (seed && !/^\d{1,15}$/.test(seed)) return notify("The seed is a whole number, or left empty.", true);
  return newGame({
    kind: "random",
    mode: setup.mode,
    options: setup.options,
    height: setup.height,
    width: setup.width,
    p: setup.p,
    ...(seed ? { seed: Number(seed) } : {}),
  });
}

/** @param {State} state @param {string} mode */
function pasteForm(state, mode) {
  const { setup } = state;
  return h(
    "section",
    { class: "card" },
    h("h2", null, "Your own board"),
    h("p", null, "Rows of # (blocked) and o (open), or a link that someone shared."),
    field(
      "Board or link",
      h("textarea", {
        rows: 8,
        spellcheck: false,
        maxlength: 6000,
        value: setup.text,
        oninput: (/** @type {any} */ e) => change({ text: e.target.value }),
      }),
    ),
    h(
      "div",
      { class: "chips" },
      h(
        "label",
        { class: "button" },
        "Load a file",
        h("input", { type: "file", accept: ".txt,text/plain", class: "sr-only", onchange: loadFile }),
      ),
      button("", "Play this board", () => playText(mode), { class: "primary" }),
    ),
  );
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
  const code = codeIn(setup.text);
  if (code) return newGame({ kind: "link", code });
  const rows = setup.text
    .split(/\r?\n/)
    .map((row) => row.trim())
    .filter(Boolean);
  if (!rows.length) return notify("There is nothing to play yet: paste a board first.", true);
  return newGame({ kind: "text", mode, options: setup.options, rows });
}
