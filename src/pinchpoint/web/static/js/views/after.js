// After the game: the player's path beside the agent's and the optimum's, and what each move cost.

import { h } from "../../vendor/preact.js";
import { copy, filmStatus, share } from "../advice.js";
import { board } from "../board.js";
import { ending } from "../goal.js";
import { kindOf, rivalOf } from "../kinds.js";
import { button, icon, link, slider } from "../parts.js";
import { follow, newGame, playback } from "../session.js";
import { get, set } from "../state.js";
import { boardLink, capital, count, outcome, parText, shareText, tally } from "../words.js";
import { chart } from "./chart.js";
import { raceResult, titleOf } from "./race.js";
import { consentBar } from "./settings.js";

/** @typedef {import("../types.js").State} State */
/** @typedef {import("../types.js").Game} Game */
/** @typedef {import("../types.js").Film} Film */
/** @typedef {import("../types.js").Analysis} Analysis */

/** @param {State} state @param {Game} game */
export function after(state, game) {
  const analysis = /** @type {Analysis} */ (state.analysis);
  return h(
    "div",
    { class: "page after", key: "after" },
    h(
      "section",
      { class: "hero" },
      h(
        "h1",
        null,
        `${count(game.ply, "move")}. `,
        h(
          "em",
          { class: game.ply > (analysis.par.value ?? Infinity) || game.agent_moves ? "over" : "" },
          outcome(game, analysis.par),
        ),
      ),
      h("p", null, [capital(parText(analysis.par)), tally(game)].filter(Boolean).join(" · ")),
      rivalOf(game) && raceResult(state, game),
    ),
    h(
      "div",
      { class: "controls wide" },
      nextButton(kindOf(game).next),
      game.yours
        ? button("restart", "Again", () => newGame({ kind: "again", game: game.id }), { id: "again" })
        : button("play", "Play it yourself", () => newGame({ kind: "link", code: game.code }), { id: "play-myself" }),
      button("share", "Share", () => share(shareText(get()), boardLink(game)), { id: "share" }),
      button("link", "Link", () => copy(boardLink(game), "The link to this board is copied."), { id: "link" }),
      download("image", "PNG", game, "png", state),
      download("film", "GIF", game, "gif", state),
    ),
    consentBar(state),
    compare(state, game, analysis),
    costs(state, analysis),
  );
}

/** Where the game leads. @param {import("../kinds.js").Kind["next"]} next */
const nextButton = ({ id, icon: name, label, to }) =>
  to.path
    ? link(to.path, [icon(name), label], { class: "button primary", id, key: id })
    : button(name, label, () => follow(to), { class: "primary", id });

/** @param {string} name @param {string} label @param {Game} game @param {string} kind @param {State} state */
function download(name, label, game, kind, state) {
  const href = `/api/games/${game.id}/picture.${kind}?palette=${state.settings.palette}`;
  return h("a", { class: "button", href, download: `pinchpoint.${kind}`, id: `picture-${kind}` }, icon(name), label);
}

/** Three boards and one slider. @param {State} state @param {Game} game @param {Analysis} analysis */
function compare(state, game, analysis) {
  const longest = Math.max(...[analysis.you, analysis.agent, analysis.optimum].map((f) => f?.frames.length ?? 0));
  const at = Math.min(state.analysisAt, longest);
  const best = analysis.par.proven ? "Optimum" : "Best known";
  const move = analysis.moves[at - 1];
  return h(
    "section",
    { class: "card compare", "aria-label": "Side by side" },
    h(
      "div",
      { class: "trio" },
      one(
        state,
        game,
        "You",
        analysis.you,
        at,
        move?.cost ? move.better : null,
        analysis.moves
          .slice(0, at)
          .filter((m) => m.cost)
          .map((m) => m.square),
      ),
      analysis.agent &&
        one(state, game, titleOf(state, game.mode, analysis.agent_name ?? "agent"), analysis.agent, at, null),
      analysis.optimum && one(state, game, best, analysis.optimum, at, null),
    ),
    h(
      "div",
      { class: "replay" },
      button(state.replaying ? "pause" : "play", state.replaying ? "Pause" : "Replay", () => replay(longest), {
        id: "replay",
      }),
      slider("Move", at, 0, longest, 1, (n) => set({ analysisAt: n, replaying: false }), `${at} of ${longest}`),
    ),
  );
}

/**
 * @param {State} state @param {Game} game @param {string} title @param {Film} film @param {number} at
 * @param {number|null} better @param {number[]} [costly]
 */
function one(state, game, title, film, at, better, costly) {
  const shown = Math.min(at, film.frames.length);
  const newest = shown ? film.frames[shown - 1].square : null;
  const id = `film-${title.toLowerCase().replace(/\W+/g, "-")}`;
  return h(
    "figure",
    { key: id },
    board(state, filmStatus(film, shown), game.height, game.width, {
      id,
      label: `${title}, after ${shown} moves`,
      newest,
      better,
      costly,
      ...(shown === film.frames.length && film.done ? ending({ ...game, cut: film.cut }) : {}),
    }),
    h("figcaption", null, h("strong", null, title), ` ${shown} of ${film.frames.length}${film.done ? "" : " …"}`),
  );
}

/** @param {number} longest */
function replay(longest) {
  if (get().replaying) return set({ replaying: false });
  set({ replaying: true, analysisAt: get().analysisAt >= longest ? 0 : get().analysisAt });
  playback(() => {
    const { replaying, analysisAt } = get();
    if (replaying) set({ analysisAt: analysisAt + 1, replaying: analysisAt + 1 < longest });
    return get().replaying;
  });
}

/** @param {State} state @param {Analysis} analysis */
function costs(state, analysis) {
  const dear = analysis.moves.map((m, i) => ({ ...m, number: i + 1 })).filter((m) => m.cost);
  return h(
    "section",
    { class: "card", "aria-label": "What each move cost" },
    h("h2", null, "Par to go, after each move"),
    analysis.par.value === null
      ? h("p", null, analysis.par.pending ? "The solver has begun …" : "There is no solver for this mode.")
      : [
          chart(state, analysis),
          h(
            "p",
            { class: "small" },
            "A good move takes the line down by one; the dashed line is the best play. Red: a move that " +
              "cost something.",
          ),
        ],
    analysis.pending && h("p", { class: "small" }, "The solver is still at work; this fills in by itself."),
    h(
      "ol",
      { class: "costs" },
      dear.map((m) =>
        h(
          "li",
          { key: m.number },
          h(
            "button",
            { type: "button", class: "text", onclick: () => set({ analysisAt: m.number, replaying: false }) },
            h("b", null, `Move ${m.number}`),
            ` cost ${m.certain ? "" : "about "}+${m.cost}`,
            m.better === null ? "" : "; show it, and where the choke point was",
          ),
        ),
      ),
    ),
    !dear.length &&
      !analysis.pending &&
      analysis.par.value !== null &&
      h("p", null, "No move was wasted, as far as the solver can tell."),
  );
}
