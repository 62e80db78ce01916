// The campaign: 40 boards, each with one idea.

import { h } from "../../vendor/preact.js";
import * as api from "../api.js";
import { thumbnail } from "../parts.js";
import { newGame } from "../session.js";
import { get, set } from "../state.js";
import { capital, count } from "../words.js";
import { nextLevel } from "./home.js";

/** @typedef {import("../types.js").State} State */

export async function loadCampaign() {
  if (get().campaign) return;
  await api.poll(
    () => api.read("/campaign"),
    (campaign) => set({ campaign }),
  );
}

/** @param {State} state */
export function campaignView(state) {
  const { campaign, settings } = state;
  if (!campaign) return h("p", { class: "empty" }, "One moment …");
  const won = Object.values(settings.stars).reduce((sum, n) => sum + n, 0);
  const next = nextLevel();
  return h(
    "div",
    { class: "page", key: "campaign" },
    h(
      "section",
      { class: "hero" },
      h("h1", null, "Campaign", h("small", null, `${campaign.length} levels · ${won} of ${3 * campaign.length} stars`)),
      h(
        "p",
        null,
        "Every board teaches one idea. You get three stars for par, two for one move over, and one for " +
          "finishing, also with help.",
      ),
    ),
    h(
      "ol",
      { class: "levels" },
      campaign.map((level) => {
        const stars = settings.stars[level.number] ?? 0;
        return h(
          "li",
          { key: level.number },
          h(
            "button",
            {
              type: "button",
              class: `card level-card${level.number === next ? " next" : ""}${stars ? " done" : ""}`,
              id: `level-${level.number}`,
              onclick: () => newGame({ kind: "campaign", number: level.number }),
            },
            thumbnail(level.rows),
            h(
              "span",
              null,
              h("strong", null, `${level.number}. ${level.title}`),
              h("small", null, `${capital(level.mode)}, par ${level.par}`),
              h(
                "span",
                { class: "stars", role: "img", "aria-label": stars ? count(stars, "star") : "not finished" },
                [1, 2, 3].map((n) => h("i", { class: n <= stars ? "on" : "" }, "★")),
              ),
            ),
          ),
        );
      }),
    ),
  );
}
