// Words for states, scores and times.

import { kindOf } from "./kinds.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Game} Game */
/** @typedef {import("./types.js").Par} Par */

const COLOURS = {
  classic: ["black", "green", "blue", "red"],
  clear: ["dark", "amber", "pale blue", "crimson"],
};
export const STATES = ["blocked", "active", "cut off", "attacked"];

/** @param {State} state @param {number} which */
export const colour = (state, which) => COLOURS[state.settings.palette][which];

/** @param {number} n @param {string} one @param {string} [many] */
export const count = (n, one, many) => `${n} ${n === 1 ? one : (many ?? one + "s")}`;

/** @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {number} square @param {number} width */
export const place = (square, width) => `row ${Math.floor(square / width) + 1}, column ${(square % width) + 1}`;

/** How many over par, as golfers say it. @param {number} moves @param {Par|null} par */
export function verdict(moves, par) {
  if (!par || par.value === null) return "";
  const over = moves - par.value;
  if (over < 0) return `${-over} better than the best known`;
  if (over === 0) return par.proven ? "Par: nobody can do better" : "As good as the best known";
  return `${over} over par`;
}

/**
 * What to say of a finished game: the moves of an agent are not the player's.
 * @param {Game} game @param {Par|null} par
 */
export function outcome(game, par) {
  if (game.agent_moves === game.ply) return "Played by an agent";
  if (game.agent_moves) return `${game.agent_moves} of them by an agent`;
  return verdict(game.ply, par);
}

/** The help and the undos of a game. @param {Game} game */
export const tally = (game) =>
  [
    game.hints ? count(game.hints, "hint") : "",
    game.peeks ? count(game.peeks, "peek") : "",
    game.undos ? count(game.undos, "undo") : "",
    game.agent_moves ? `${count(game.agent_moves, "move")} by agents` : "",
  ]
    .filter(Boolean)
    .join(" · ");

/** @param {Par|null} par */
export function parText(par) {
  if (!par || par.value === null) return !par || par.pending ? "working out par …" : "par not known";
  if (par.proven) return `par ${par.value}, proven`;
  return `par ${par.value}, the best known${par.pending ? " so far" : ""}`;
}

/** What the end of the game is, where the server's description can be said shorter. @type {Record<string, string>} */
const GOALS = {
  network: "Break up the big piece until it is no bigger than the biggest piece you cut off.",
  flow: "Stop the water by blocking every way from the top row to the bottom row.",
  "flow horizontal": "Stop the water by blocking every way from the left side to the right side.",
  "flow both": "Stop the water by blocking every way from top to bottom and from left to right.",
  noodle: "Open every loop, until only noodles are left.",
  "noodle true": "Open loops until no piece has more than one.",
  shatter: "Break the board into small pieces, none larger than a tenth of it.",
};

/** @param {State} state @param {string} name @param {Record<string, any>} [options] */
export function goal(state, name, options = {}) {
  const mode = state.about?.modes.find((m) => m.name === name);
  const other = mode?.options.filter((o) => (options[o.name] ?? o.default) !== o.default).map((o) => options[o.name]);
  return GOALS[[name, ...(other ?? [])].join(" ")] ?? mode?.description ?? "";
}

/**
 * What to do, in one sentence: the goal, and that every attack counts.
 * @param {State} state @param {string} mode @param {Record<string, any>} [options]
 */
export function task(state, mode, options) {
  const text = goal(state, mode, options);
  return `Attack as few ${colour(state, 1)} squares as you can: ${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}

/**
 * Options as the page calls them, with a line that explains each.
 * @type {Record<string, {label: string, about: string, values?: Record<string, string>}>}
 */
export const OPTIONS = {
  axis: {
    label: "Direction",
    about: "Which way the water runs.",
    values: { vertical: "top to bottom", horizontal: "left to right", both: "both" },
  },
  inclusive: {
    label: "Loops that may stay",
    about: "Whether a piece may keep one loop and still count as done.",
    values: { false: "none", true: "one in each piece" },
  },
  K: {
    label: "Free sides per square",
    about: "A piece is done when its squares have more free sides than this on average. With 2, that means no loops.",
  },
  share: {
    label: "Largest share",
    about: "A piece is done when it has at most this share of the squares that were open at the start.",
  },
  size: { label: "Largest piece", about: "A piece is done when it has at most this many squares." },
};

/** @param {Record<string, any>} options */
export const optionsText = (options) =>
  Object.entries(options)
    .map(([k, v]) => `${OPTIONS[k]?.label.toLowerCase() ?? k}: ${OPTIONS[k]?.values?.[String(v)] ?? v}`)
    .join(", ");

/** @param {string} day */
export function dayName(day) {
  const date = new Date(`${day}T12:00:00Z`);
  return date.toLocaleDateString(undefined, { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" });
}

/** The result without a word about where the squares are. @param {State} state */
export function shareText(state) {
  const { game, par, analysis } = state;
  if (!game) return "";
  const against = par?.value ? ` (par ${par.value}${par.proven ? "" : "?"})` : "";
  const squares = analysis?.moves.map((m) => (m.cost === null ? "⬜" : (["🟩", "🟨", "🟧"][m.cost] ?? "🟥")));
  const helped = [
    game.hints + game.peeks ? `💡${game.hints + game.peeks}` : "",
    game.undos ? `↩${game.undos}` : "",
    game.agent_moves ? `🤖${game.agent_moves}` : "",
  ]
    .filter(Boolean)
    .join(" ");
  const lines = [`Pinchpoint, ${kindOf(game).title}`, `${count(game.ply, "move")}${against} ${helped}`.trim()];
  if (squares && squares.length <= 60) lines.push(squares.join(""));
  return [...lines, boardLink(game)].join("\n");
}

/** The address at which others find this board. @param {Game} game */
export const boardLink = (game) => `${location.origin}/${kindOf(game).path}`;

/** The code of a board in a link or text, "" if there is none. @param {string} text */
export const codeIn = (text) => text.match(/\/board\/([\w-]+)/)?.[1] ?? "";
