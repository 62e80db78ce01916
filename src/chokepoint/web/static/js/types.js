// What the server sends, and what the page keeps. Types only: nothing here runs.

/** @typedef {{value: number|null, bound: number|null, proven: boolean, pending: boolean}} Par */
/**
 * @typedef {object} Game
 * @property {string} id @property {string} board @property {string} code
 * @property {string} mode @property {Record<string, any>} options
 * @property {number} height @property {number} width
 * @property {string} status  a digit a square: 0 blocked 1 active 2 inactive 3 attacked
 * @property {number} best  network mode: the largest piece there has been but for one
 * @property {number} turn @property {number} ply @property {number[]} moves
 * @property {boolean} can_undo @property {boolean} can_redo @property {boolean} done
 * @property {number} hints @property {number} peeks @property {number} undos
 * @property {number} agent_moves @property {number} seconds
 * @property {Record<string, any>} origin @property {boolean} mine
 */
/** @typedef {{square: number, changes: [number, number][]}} Frame */
/** @typedef {{start: string, frames: Frame[], done: boolean}} Film */
/** @typedef {{name: string, about: string, kind: string, values: boolean, weights: string|null}} Agent */
/** @typedef {{name: string, default: any, choices: string[]}} ModeOption */
/**
 * @typedef {{name: string, description: string, custom: boolean, options: ModeOption[],
 *   agents: Agent[]}} Mode
 */
/**
 * @typedef {{version: string, modes: Mode[], today: string, first_day: string,
 *   limits: Record<string, number>}} About
 */
/** @typedef {{consented: boolean, name: string|null}} Player */
/**
 * @typedef {{square: number, to_go: number|null, after: number|null, cost: number|null,
 *   certain: boolean, better: number|null}} MoveAnalysis
 */
/**
 * @typedef {{pending: boolean, par: Par, you: Film, moves: MoveAnalysis[], optimum: Film|null,
 *   agent: Film|null, agent_name: string|null}} Analysis
 */
/** @typedef {{day: string, size: number, p: number, played: Record<string, number>}} ArchiveDay */
/**
 * @typedef {{rank: number, name: string, moves: number, hints: number, undos: number,
 *   seconds: number, mine: boolean}} Entry
 */
/**
 * @typedef {{day: string, mode: string, height: number, width: number, p: number, par: Par,
 *   entries: Entry[]}} Daily
 */
/**
 * @typedef {{mode: string, finished: number, perfect: number, mean_over_par: number|null,
 *   over_par: Record<string, number>}} ModeStats
 */
/**
 * @typedef {{games: number, finished: number, streak: number, longest_streak: number,
 *   modes: ModeStats[]}} Stats
 */
/**
 * @typedef {{number: number, mode: string, options: Record<string, any>, height: number,
 *   width: number, par: Par}} RoomBoard
 */
/**
 * @typedef {{code: string, title: string, boards: RoomBoard[], joined: boolean,
 *   name: string|null, mine: (RoomCell|null)[]}} Room
 */
/** @typedef {{moves: number, done: boolean, hints: number, undos: number, seconds: number}} RoomCell */
/**
 * @typedef {{code: string, title: string, boards: RoomBoard[],
 *   rows: {name: string, results: (RoomCell|null)[]}[]}} RoomResults
 */
/** @typedef {{name: string, params: string[]}} Route */
/**
 * @typedef {object} Settings  what the browser remembers for itself
 * @property {"auto"|"light"|"dark"} theme
 * @property {"classic"|"clear"} palette
 * @property {Record<string, string>} adviser  by mode
 * @property {number} speed  moves a second when watching
 * @property {boolean} lessonSeen
 * @property {boolean} asked  whether the question about being remembered was answered
 */
/**
 * @typedef {object} Setup  the form for a new game
 * @property {string} mode @property {Record<string, any>} options
 * @property {number} height @property {number} width @property {number} p
 * @property {string} seed @property {string} text
 */
/**
 * @typedef {object} Watch  a line of play that is shown in place of the game
 * @property {Film} film @property {string} agent @property {number} at @property {boolean} running
 */
/**
 * @typedef {object} State
 * @property {Route} route
 * @property {About|null} about
 * @property {Player} me
 * @property {Settings} settings
 * @property {Setup} setup
 * @property {Game|null} game
 * @property {Par|null} par
 * @property {number} cursor  the square that the keyboard is on
 * @property {boolean} cursorShown
 * @property {Map<number, number>} delays  when each changed square changes its colour, ms
 * @property {number} zoom
 * @property {{values: (number|null)[], best: number, agent: string}|null} heat
 * @property {{square: number, agent: string}|null} hint
 * @property {Watch|null} watch
 * @property {boolean} agentRunning
 * @property {Analysis|null} analysis
 * @property {number} analysisAt
 * @property {boolean} replaying
 * @property {ArchiveDay|null} today
 * @property {ArchiveDay[]|null} archive
 * @property {Daily|null} daily
 * @property {Stats|null} stats
 * @property {string|null} nameTyped what is in the field for the name, until it is saved
 * @property {Room|null} room
 * @property {RoomResults|null} results
 * @property {{title: string, count: number, link: string, boards: {label: string, board: Record<string, any>}[]}} roomForm
 * @property {{mode: string}} lesson
 * @property {string} dialog  "" or the name of an open dialog
 * @property {boolean} busy  an answer is awaited
 * @property {string} said  for the live region
 * @property {string} notice  a message that goes away by itself
 * @property {boolean} noticeIsError
 */
export {};
