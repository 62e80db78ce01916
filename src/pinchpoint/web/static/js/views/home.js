// The first page: a live board, one sentence, today's board, and the ways to everything else.

import { h } from "../../vendor/preact.js";
import * as api from "../api.js";
import { board, shortLegend } from "../board.js";
import { ending, goalOverlay, left } from "../goal.js";
import { button, dayLink, icon, link, result } from "../parts.js";
import { createGame, restart, shown, undo } from "../session.js";
import { get, LEVELS, set } from "../state.js";
import { capital, count, task } from "../words.js";

/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").Game} Game */
/** @typedef {import("../types.js").Schemas["CampaignOrigin"]} CampaignLevel */

/** The first board of the campaign that is not finished yet. */
export function nextLevel() {
  const { stars } = get().settings;
  for (let n = 1; n <= LEVELS; n++) if (!stars[n]) return n;
  return 1 + Math.floor(Math.random() * LEVELS);
}

/** Put the next board of the campaign on the page, unless one is there already. */
export async function loadHome() {
  const { game, me } = get();
  if (game?.origin.kind !== "campaign" || game.done) createGame({ kind: "campaign", number: nextLevel() });
  if (!me.consented) return;
  api.poll(
    () => api.read("/daily?count=1"),
    ([today]) => set({ today }),
  );
  if (get().stats) return;
  api.poll(
    () => api.read("/me/stats"),
    (stats) => set({ stats }),
  );
}

/** @param {State} state */
export function homeView(state) {
  const { game } = state;
  const level = game?.origin.kind === "campaign" ? game.origin : null;
  return h(
    "div",
    { class: "page home", key: "home" },
    h(
      "section",
      { class: "stage", "aria-label": "A board to play" },
      h("h1", null, "Find the choke point."),
      h(
        "p",
        { class: "goal", id: "goal" },
        level && game ? task(state, game.mode, game.options) : "Cut the board apart with as few attacks as you can.",
      ),
      level && game ? stage(state, game, level) : h("div", { class: "frame waiting" }),
    ),
    h("aside", { class: "ways" }, daily(state), ways(state)),
  );
}

/** @param {State} state @param {Game} game @param {CampaignLevel} level */
function stage(state, game, level) {
  const { status, moves } = shown(state);
  const over = game.done && state.finale === "";
  return [
    state.settings.finished === 0 && h("div", { key: "legend", class: "goal" }, shortLegend(state)),
    h(
      "div",
      { class: "frame", key: "frame" },
      board(state, status, game.height, game.width, {
        id: "game-board",
        label: `${capital(game.mode)} board`,
        playable: !game.done,
        newest: moves.at(-1) ?? null,
        delays: state.delays,
        class: state.finale,
        ...(state.finale === "cut" || over ? ending(game) : { over: goalOverlay(game, status) }),
      }),
    ),
    h(
      "div",
      { class: "under", key: "under" },
      h("strong", { class: "level" }, `${level.number}. ${level.title}`),
      h(
        "div",
        { class: "chips" },
        over
          ? [
              button("next", "Next board", () => createGame({ kind: "campaign", number: nextLevel() }), {
                class: "primary",
                id: "next-level",
              }),
              link(`game/${game.id}`, "What was best?", { class: "button", key: "best" }),
            ]
          : [
              button("undo", "Undo", undo, { disabled: !moves.length || game.done, id: "undo" }),
              button("restart", "Restart", restart, { disabled: !moves.length || game.done, id: "restart" }),
            ],
      ),
      h(
        "div",
        { class: "idea", id: "idea" },
        game.done ? result(state, game) : progress(state, game, level, status, moves.length),
      ),
    ),
  ];
}

/** @param {State} state @param {Game} game @param {CampaignLevel} level @param {string} status @param {number} moves */
function progress(state, game, level, status, moves) {
  return [
    h("p", null, moves ? `${count(moves, "move")}, par ${level.par}.` : `${level.idea} Par ${level.par}.`),
    left(state, game, status),
  ];
}

/** @param {State} state */
function daily(state) {
  const { today, stats, me } = state;
  const day = today?.day ?? state.about?.today ?? "";
  return h(
    "section",
    { class: "card daily", id: "daily-card" },
    h("h2", null, icon("sun"), "Today's boards", h("small", null, today ? `${today.size} × ${today.size}` : "")),
    h("p", null, "The same for everyone. Your first attempt counts."),
    h(
      "div",
      { class: "chips" },
      state.about?.modes.filter((m) => !m.custom).map((m) => dayLink(day, m.name, today?.played[m.name])),
    ),
    me.consented &&
      stats !== null &&
      stats.streak > 0 &&
      h(
        "p",
        { class: "streak" },
        stats.streak === 1 ? "A streak begins: one day." : `Your streak: ${stats.streak} days in a row.`,
      ),
  );
}

/** @param {State} state */
function ways(state) {
  const done = Object.keys(state.settings.stars).length;
  /** @type {[string, string, string, string][]} */
  const all = [
    ["race", "swords", "Race the agent", "The same board, move by move"],
    ["campaign", "flag", "Campaign", done ? `${done} of ${LEVELS} boards done` : `${LEVELS} boards, one idea each`],
    ["new", "plus", "Choose a board", "Any mode and size, or your own drawing"],
    ["class", "people", "Class", "A room for your pupils"],
    ["lesson", "bulb", "Lesson", "The rules in one minute"],
  ];
  return h(
    "nav",
    { class: "tiles-nav", "aria-label": "Ways to play" },
    all.map(([path, name, title, about]) =>
      link(path, [icon(name), h("span", null, h("strong", null, title), h("small", null, about))], {
        class: "card way",
        key: path,
      }),
    ),
  );
}
