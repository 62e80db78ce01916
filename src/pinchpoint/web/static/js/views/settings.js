// Looks, privacy, and the dialogs.

import { h } from "../../vendor/preact.js";
import * as api from "../api.js";
import { kindOf } from "../kinds.js";
import { button, dialog, field, link, select, slider } from "../parts.js";
import { get, notify, set, setSettings } from "../state.js";
import { shareText } from "../words.js";

/** @typedef {import("../types.js").State} State */

const close = () => set({ dialog: "" });

/** @param {State} state */
export function dialogs(state) {
  const { settings } = state;
  switch (state.dialog) {
    case "settings":
      return dialog(
        "Settings",
        close,
        field(
          "Theme",
          select(
            settings.theme,
            [
              ["auto", "same as the system"],
              ["light", "light"],
              ["dark", "dark"],
            ],
            (theme) => setSettings({ theme: /** @type {any} */ (theme) }),
            { id: "theme" },
          ),
        ),
        field(
          "Colours",
          select(
            settings.palette,
            [
              ["classic", "green, blue, red"],
              ["clear", "for colour-blind eyes, with marks"],
            ],
            (palette) => setSettings({ palette: /** @type {any} */ (palette) }),
            { id: "palette" },
          ),
        ),
        tick("Sounds", "sound", settings.sound),
        tick("Vibration on phones", "vibration", settings.vibration),
        tick("Show what an attack would cut off (for practice; counts as help)", "preview", settings.preview),
        slider(
          "Speed of agents",
          settings.speed,
          1,
          15,
          1,
          (speed) => setSettings({ speed }),
          `${settings.speed} moves a second`,
        ),
        h(
          "p",
          { class: "small" },
          link("laboratory", "Laboratory"),
          " · ",
          link("lesson", "Lesson"),
          " · ",
          link("privacy", "Privacy"),
          ` · version ${state.about?.version ?? ""}`,
        ),
      );
    case "consent":
      return dialog(
        "May we remember you?",
        close,
        consentText(),
        h(
          "div",
          { class: "controls wide" },
          button("check", "Yes, remember me", agree, { class: "primary", id: "agree" }),
          button(
            "",
            "No, thank you",
            () => {
              setSettings({ asked: true });
              close();
            },
            { id: "decline" },
          ),
        ),
      );
    case "delete":
      return dialog(
        "Delete my data?",
        close,
        h(
          "p",
          null,
          "All your games, results and your name are deleted from the server now. Nobody can bring them back.",
        ),
        h(
          "div",
          { class: "controls wide" },
          button("close", "Delete it all", () => import("./stats.js").then((m) => m.deleteMe()), {
            class: "primary",
            id: "delete-now",
          }),
          button("", "Keep it", close),
        ),
      );
    case "share":
      return dialog(
        "Share",
        close,
        h("textarea", { rows: 6, readonly: true, "aria-label": "Text to share", value: shareText(state) }),
      );
    default:
      return null;
  }
}

/**
 * A switch among the settings.
 * @param {string} label @param {"sound"|"vibration"|"preview"} name @param {boolean} on
 */
const tick = (label, name, on) =>
  h(
    "label",
    { class: "switch" },
    h("input", {
      type: "checkbox",
      id: `set-${name}`,
      checked: on,
      onchange: (/** @type {any} */ e) => setSettings({ [name]: e.target.checked }),
    }),
    label,
  );

async function agree() {
  const { game } = get();
  const me = await api.attempt(() => api.post("/me/consent", { agree: true }));
  if (!me) return;
  setSettings({ asked: true });
  set({
    me,
    dialog: "",
    ...(game && kindOf(game).kept && game.yours ? { game: { ...game, mine: true } } : {}),
  });
  notify("Thank you. Your games of this visit count, and those to come.");
  if (get().route.name === "stats") import("./stats.js").then((m) => m.loadStats());
}

const consentText = () =>
  h(
    "div",
    { class: "prose" },
    h(
      "p",
      null,
      "If you agree, this server puts a cookie with a random number into your browser. It has no name in " +
        "it and is read by this server only.",
    ),
    h(
      "p",
      null,
      "With it, your games of this visit and later ones are kept: the board, every move with its time and " +
        "how long you thought, hints and undos, and the result. You then have statistics, streaks and a " +
        "place in the tables, and researchers can compare how people and machines learn. A name is optional.",
    ),
    h(
      "p",
      null,
      "If you do not agree, you can play just the same; your games are then deleted a day after their last " +
        "move, and nobody studies them. You can have everything deleted at any time under You.",
    ),
  );

/** @param {State} state */
export function privacyView(state) {
  return h(
    "div",
    { class: "page narrow", key: "privacy" },
    h("section", { class: "hero" }, h("h1", null, "Privacy")),
    h(
      "section",
      { class: "card" },
      consentText(),
      h(
        "p",
        null,
        "Settings such as the theme, the stars of the campaign and the results of races stay in your " +
          "browser; so does a random number that lets this tab, and no other, move in the games it began, " +
          "until you close it. The page loads nothing from any other server.",
      ),
      state.me.consented
        ? h("p", null, "You have agreed. ", link("stats", "See or delete your data"), ".")
        : button("", "Agree", () => set({ dialog: "consent" }), { class: "primary" }),
    ),
  );
}

/** A quiet question, after the first finished game. @param {State} state */
export function consentBar(state) {
  const ask =
    !state.me.consented &&
    !state.settings.asked &&
    state.route.name === "game" &&
    state.game?.done &&
    state.game.yours &&
    !state.finale &&
    !state.dialog;
  return (
    ask &&
    h(
      "aside",
      { class: "consent-bar", key: "consent-bar", "aria-label": "Consent" },
      h("p", null, "Keep your statistics and streaks, and appear in the tables?"),
      h(
        "div",
        { class: "chips" },
        button("", "Tell me more", () => set({ dialog: "consent" }), { class: "primary", id: "consent-more" }),
        button("", "No, thanks", () => setSettings({ asked: true })),
      ),
    )
  );
}
