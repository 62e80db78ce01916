// The kinds of game: for each origin of a board, what the page says about the game and where it leads.
// A race is a kind of its own, whatever board it is run on.

import { LEVELS } from "./state.js";

/** @typedef {import("./types.js").Game} Game */
/** @typedef {import("./types.js").Par} Par */
/** @typedef {import("./types.js").Settings} Settings */
/** @typedef {Game["origin"]} Origin */
/**
 * @typedef {object} Target  where a button leads: to an address, or to a new game
 * @property {string} [path] @property {Record<string, any>} [board] @property {string} [rival]
 */
/**
 * @typedef {object} Kind
 * @property {string} heading  where the board comes from
 * @property {string} title  of the board in a text that is shared
 * @property {string} path  the address at which others find the board
 * @property {Target} another  what the button "New" leads to
 * @property {{id: string, icon: string, label: string, to: Target}} next  the first button after the game
 * @property {boolean} help  whether there are hints, and a way back
 * @property {string} warning  said before help is asked for
 * @property {boolean} kept  whether the game counts as the player's own
 * @property {Par|null} par  where it is known without asking
 * @property {(settings: Settings) => Partial<Settings>} score  what the browser remembers of the finished game
 */

/** The agent of a race. @param {Game} game @returns {string|null} */
export const rivalOf = ({ origin }) => ("rival" in origin && origin.rival) || null;

/** @param {Game} game @returns {Kind} */
export function kindOf(game) {
  const { origin } = game;
  const row = /** @type {(game: Game, origin: any) => Partial<Kind>} */ (KINDS[origin.kind]);
  const kind = { ...usual(game), ...row(game, origin) };
  const rival = rivalOf(game);
  return rival ? { ...kind, ...race(game, rival) } : kind;
}

/** What most kinds have in common. @param {Game} game @returns {Kind} */
function usual(game) {
  const another = { path: "new" };
  return {
    heading: "from a link",
    title: `${game.mode} ${game.height} × ${game.width}`,
    path: `board/${game.code}`,
    another,
    next: { id: "new", icon: "plus", label: "New board", to: another },
    help: true,
    warning: "",
    kept: true,
    par: null,
    score: () => ({}),
  };
}

/** @type {{[K in Origin["kind"]]: (game: Game, origin: Extract<Origin, {kind: K}>) => Partial<Kind>}} */
const KINDS = {
  random: (game, { p }) => {
    const another = { board: randomBoard(game, p) };
    return { heading: `${Math.round(p * 100)} % open`, another, next: { ...usual(game).next, to: another } };
  },
  link: () => ({}),
  text: () => ({ heading: "your own board" }),
  lesson: () => ({ heading: "the lesson", kept: false }),
  daily: (game, { day }) => ({
    heading: `daily board of ${day}${game.first ? "" : ", for practice"}`,
    title: `${game.mode} daily ${day}`,
    path: `daily/${day}/${game.mode}`,
    another: { path: "daily" },
    next: { id: "scores", icon: "check", label: "How the others did", to: { path: `daily/${day}/${game.mode}` } },
    warning:
      game.first && game.hints + game.peeks + game.agent_moves === 0
        ? "Help takes this game out of the day's table."
        : "",
  }),
  room: (_, { room, number, boards }) => {
    const another =
      number + 1 < boards ? { board: { kind: "room", room, number: number + 1 } } : { path: `class/${room}` };
    return { heading: `room ${room}, board ${number + 1}`, another, next: nextBoard(another) };
  },
  campaign: (game, { number, title, par }) => {
    const another = { board: { kind: "campaign", number: (number % LEVELS) + 1 } };
    return {
      heading: `level ${number}: ${title}`,
      another,
      next: nextBoard(another),
      par: { value: par, bound: par, proven: true, pending: false },
      score: ({ stars }) =>
        game.agent_moves ? {} : { stars: { ...stars, [number]: Math.max(stars[number] ?? 0, starsOf(game, par)) } },
    };
  },
};

/** @param {Game} game @param {string} rival @returns {Partial<Kind>} */
function race(game, rival) {
  const { origin } = game;
  const another = { board: randomBoard(game, origin.kind === "random" ? origin.p : 0.8), rival };
  return { another, next: { id: "rematch", icon: "swords", label: "Rematch", to: another }, help: false };
}

/** @param {Game} game @param {number} p */
const randomBoard = ({ mode, options, height, width }, p) => ({ kind: "random", mode, options, height, width, p });

/** @param {Target} to */
const nextBoard = (to) => ({ id: "new", icon: "plus", label: "Next board", to });

/** A game with help is finished, but its stars are not won. @param {Game} game @param {number} par */
export function starsOf({ ply, hints, peeks }, par) {
  if (hints + peeks) return 1;
  return ply <= par ? 3 : ply === par + 1 ? 2 : 1;
}
