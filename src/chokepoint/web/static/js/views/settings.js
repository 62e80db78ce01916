// Looks, privacy, and the dialogs.

import * as api from "../api.js";
import { get, set, setSettings } from "../store.js";
import { attempt, notify } from "../talk.js";
import { h } from "../vdom.js";
import { shareText } from "../words.js";
import { button, dialog, field, link, select, slider } from "./parts.js";
import { deleteMe } from "./stats.js";

/** @typedef {import("../types.js").State} State */

const close = () => set({ dialog: "" });

/** @param {State} state */
export function dialogs(state) {
  const { settings } = state;
  switch (state.dialog) {
    case "settings":
      return dialog("Settings", close,
        field("Theme", select(settings.theme, [["auto", "as the system"], ["light", "light"], ["dark", "dark"]],
          (theme) => setSettings({ theme: /** @type {any} */ (theme) }), { id: "theme" })),
        field("Colours", select(settings.palette, [["classic", "green, blue, red"], ["clear", "for colour-blind eyes, with marks"]],
          (palette) => setSettings({ palette: /** @type {any} */ (palette) }), { id: "palette" })),
        slider("Speed of agents", settings.speed, 1, 15, 1, (speed) => setSettings({ speed }), `${settings.speed} moves a second`),
        h("p", { class: "small" }, link("privacy", "Privacy"), " · ", link("lesson", "Lesson"), ` · version ${state.about?.version ?? ""}`));
    case "consent":
      return dialog("May we remember you?", close, consentText(), h("div", { class: "controls wide" },
        button("check", "Yes, remember me", agree, { class: "primary", id: "agree" }),
        button("", "No, thank you", () => { setSettings({ asked: true }); close(); }, { id: "decline" })));
    case "delete":
      return dialog("Delete my data?", close,
        h("p", null, "All your games, results and your name are deleted from the server now. Nobody can bring them back."),
        h("div", { class: "controls wide" }, button("close", "Delete it all", deleteMe, { class: "primary", id: "delete-now" }),
          button("", "Keep it", close)));
    case "share":
      return dialog("Share", close, h("textarea", { rows: 6, readonly: true, "aria-label": "Text to share", value: shareText(state) }));
    default:
      return null;
  }
}

async function agree() {
  const { game } = get();
  const counts = game !== null && game.origin.kind !== "lesson";
  const me = await attempt(() => api.post("/me/consent", { agree: true, ...(counts ? { game: game.id } : {}) }));
  if (!me) return;
  setSettings({ asked: true });
  set({ me, dialog: "", ...(counts ? { game: { ...game, mine: true } } : {}) });
  notify("Thank you. Your games count from now on.");
}

const consentText = () => h("div", { class: "prose" },
  h("p", null, "If you agree, this server puts a cookie with a random number into your browser. It has no name in it and is read by this server only."),
  h("p", null, "With it, your games are kept: the board, every move with its time and how long you thought, hints and undos, and the result. You then have statistics, streaks and a place in the tables, and researchers can compare how people and machines learn. A name is optional."),
  h("p", null, "If you do not agree, you can play just the same; your games are then deleted a day after their last move, and nobody studies them. You can have everything deleted at any time under Statistics."));

/** @param {State} state */
export function privacyView(state) {
  return h("div", { class: "page narrow", key: "privacy" }, h("section", { class: "hero" }, h("h1", null, "Privacy")),
    h("section", { class: "card" }, consentText(),
      h("p", null, "Settings such as the theme stay in your browser. The page loads nothing from any other server."),
      state.me.consented ? h("p", null, "You have agreed. ", link("stats", "See or delete your data"), ".")
        : button("", "Agree", () => set({ dialog: "consent" }), { class: "primary" })));
}

/** A quiet question, after the first finished game. @param {State} state */
export function consentBar(state) {
  const ask = !state.me.consented && !state.settings.asked && state.route.name === "game" && state.game?.done && !state.dialog;
  return ask && h("aside", { class: "consent-bar", key: "consent-bar", "aria-label": "Consent" },
    h("p", null, "Shall this server remember you, for statistics, streaks and the tables?"),
    h("div", { class: "chips" },
      button("", "Tell me more", () => set({ dialog: "consent" }), { class: "primary", id: "consent-more" }),
      button("", "No", () => setSettings({ asked: true }))));
}
