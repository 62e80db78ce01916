// The player's statistics, name, and the way to delete it all.

import { h } from "../../vendor/preact.js";
import * as api from "../api.js";
import { button, field, link } from "../parts.js";
import { leave } from "../session.js";
import { get, notify, set } from "../state.js";
import { capital, count } from "../words.js";
import { ladder } from "./race.js";

/** @typedef {import("../types.js").State} State */

/** Called again when the player has just agreed to being remembered. */
export async function loadStats() {
  if (!get().me.consented) return;
  await api.poll(
    () => api.read("/me/stats"),
    (stats) => set({ stats }),
  );
}

/** @param {State} state */
export function statsView(state) {
  const { stats, me } = state;
  return h(
    "div",
    { class: "page narrow", key: "stats" },
    h("section", { class: "hero" }, h("h1", null, "Your games")),
    campaignStars(state),
    ladder(state),
    !me.consented
      ? h(
          "section",
          { class: "card" },
          h(
            "p",
            null,
            "Would you like statistics, streaks and a place in the tables? Then the server has to remember " +
              "you between visits.",
          ),
          h(
            "div",
            { class: "controls wide" },
            button("", "Tell me more", () => set({ dialog: "consent" }), { class: "primary", id: "open-consent" }),
            link("privacy", "Privacy", { class: "button" }),
          ),
        )
      : !stats
        ? h("p", { class: "empty" }, "One moment …")
        : [
            h(
              "div",
              { class: "tiles" },
              tile(stats.finished, "games finished"),
              tile(stats.streak, "days in a row"),
              tile(stats.longest_streak, "longest streak"),
            ),
            stats.modes.map((m) =>
              h(
                "section",
                { class: "card", key: m.mode },
                h(
                  "h2",
                  null,
                  capital(m.mode),
                  h(
                    "small",
                    null,
                    [
                      count(m.finished, "game"),
                      `${m.perfect} perfect`,
                      m.mean_over_par === null ? "" : `${m.mean_over_par.toFixed(1)} over par on average`,
                    ]
                      .filter(Boolean)
                      .join(" · "),
                  ),
                ),
                bars(m.over_par),
              ),
            ),
            nameForm(state),
            h(
              "section",
              { class: "card danger" },
              h("h2", null, "Delete my data"),
              h(
                "p",
                null,
                "Every game, result and name of yours is deleted from the server, and the cookie with it. " +
                  "This cannot be undone.",
              ),
              button("close", "Delete my data", () => set({ dialog: "delete" }), { id: "delete" }),
            ),
          ],
  );
}

/** What this browser knows without the server. @param {State} state */
function campaignStars({ settings }) {
  const won = Object.values(settings.stars).reduce((sum, n) => sum + n, 0);
  return h(
    "section",
    { class: "card row-between" },
    h(
      "p",
      null,
      h("b", { class: "stars" }, h("i", { class: "on" }, "★ ")),
      won ? `${count(won, "star")} in the campaign` : "No stars yet: the campaign has 120 of them.",
    ),
    link("campaign", won ? "Go on" : "Start the campaign", { class: "button" }),
  );
}

/** @param {number} value @param {string} label */
const tile = (value, label) => h("div", { class: "card tile" }, h("b", null, value), h("span", null, label));

/** How often how many over par. @param {Record<string, number>} over */
function bars(over) {
  const keys = Object.keys(over).map(Number);
  if (!keys.length) return h("p", { class: "small" }, "Par of these boards is not known yet.");
  const [low, high] = [Math.min(0, ...keys), Math.min(Math.max(5, ...keys), 12)];
  const most = Math.max(...Object.values(over));
  const steps = Array.from({ length: high - low + 1 }, (_, i) => low + i);
  return h(
    "ul",
    { class: "bars" },
    steps.map((k) => {
      const n = k === high ? keys.filter((x) => x >= high).reduce((sum, x) => sum + over[x], 0) : (over[k] ?? 0);
      return h(
        "li",
        { key: k },
        h("span", null, k === 0 ? "par" : k > 0 ? `+${k}${k === high ? "…" : ""}` : k),
        h("i", { style: { "--share": String(n / most) }, class: k <= 0 ? "good" : "" }),
        h("b", null, n || ""),
      );
    }),
  );
}

/** @param {State} state */
function nameForm(state) {
  return h(
    "form",
    {
      class: "card",
      onsubmit: async (/** @type {any} */ e) => {
        e.preventDefault();
        const text = e.target.elements.name.value.trim();
        const me = await api.attempt(() => api.put("/me/name", { name: text || null }));
        if (me) {
          set({ me });
          notify(me.name ? `You are listed as ${me.name}.` : "You are listed without a name.");
        }
      },
    },
    field(
      "Name in the tables",
      h("input", { name: "name", maxlength: 24, defaultValue: state.me.name ?? "", autocomplete: "nickname" }),
      "optional",
    ),
    h("button", { type: "submit", class: "button" }, "Save"),
  );
}

export async function deleteMe() {
  const me = await api.attempt(() => api.remove("/me"));
  if (!me) return;
  set({
    me,
    dialog: "",
    stats: null,
    daily: null,
    today: null,
    archive: null,
    room: null,
  });
  if (get().game?.mine) leave();
  notify("Your data are deleted.");
}
