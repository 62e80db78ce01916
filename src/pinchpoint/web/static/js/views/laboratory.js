// The laboratory: every agent that can be asked, and what it goes by.

import { h } from "../../vendor/preact.js";
import { field, link, select } from "../parts.js";
import { get, notify, set, setSettings } from "../state.js";
import { capital } from "../words.js";

/** @typedef {import("../types.js").State} State */

/** @type {Record<string, string>} */
const KINDS = { baseline: "a rule of thumb" };

/** @param {State} state */
export function laboratoryView(state) {
  const { about, setup, settings } = state;
  const mode = about?.modes.find((m) => m.name === setup.mode) ?? about?.modes[0];
  if (!mode) return h("p", { class: "empty" }, "One moment …");
  return h(
    "div",
    { class: "page narrow", key: "laboratory" },
    h(
      "section",
      { class: "hero" },
      h("h1", null, "Laboratory"),
      h(
        "p",
        null,
        "Every agent that plays this mode. The one you choose joins the student, the network and the " +
          "solver beside your board.",
      ),
    ),
    h(
      "section",
      { class: "card" },
      field(
        "Mode",
        select(
          mode.name,
          (about?.modes ?? []).map((m) => [m.name, capital(m.name)]),
          (name) => set({ setup: { ...get().setup, mode: name, options: {} } }),
        ),
      ),
      h(
        "ul",
        { class: "agents" },
        mode.agents.map((a) =>
          h(
            "li",
            { key: a.name },
            h(
              "div",
              null,
              h("strong", null, capital(a.name)),
              h("small", null, [capital(a.about), KINDS[a.kind]].filter(Boolean).join(" · ")),
            ),
            h(
              "button",
              {
                type: "button",
                class: "button",
                "aria-pressed": String(settings.adviser[mode.name] === a.name),
                id: `lab-${a.name}`,
                onclick: () => {
                  setSettings({ adviser: { ...get().settings.adviser, [mode.name]: a.name } });
                  notify(`${capital(a.name)} advises you in ${mode.name} from now on.`);
                },
              },
              settings.adviser[mode.name] === a.name ? "Chosen" : "Choose",
            ),
          ),
        ),
      ),
      h("p", null, link("new", "Choose a board", { class: "button primary" })),
    ),
  );
}
