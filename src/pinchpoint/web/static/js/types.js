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
 * @property {boolean} yours  whether this browser may move in it
 * @property {boolean} first  whether it is the player's first game on this board
 * @property {string[]} allowed  the help that may be asked for: hint, solver, takeover
 */
/**
 * @typedef {{kind: "moves", square: number, think_ms: number}|{kind: "undo"|"redo"|"restart", think_ms: number}} Action
 *   something that the player did and the server has not answered yet
 */
/** @typedef {{agent: string, film: Film, total: number|null, gaveUp: boolean}} Rival  total: its moves, once the player is done */
/** @typedef {{cuts: Record<string, number[]>}} Outlook  what each attack would cut off, where it is anything */
/** @typedef {{number: number, title: string, idea: string, mode: string, rows: string[], par: number}} Level */
/** @typedef {{square: number, changes: [number, number][]}} Frame */
/** @typedef {{start: string, frames: Frame[], done: boolean}} Film */
/**
 * @typedef {{name: string, about: string, kind: string, values: boolean, weights: string|null,
 *   max_squares: number|null}} Agent
 */
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
/** @typedef {{rank: number, name: string, moves: number, undos: number, mine: boolean}} Entry */
/**
 * @typedef {{day: string, mode: string, height: number, width: number, p: number, status: string, par: Par,
 *   entries: Entry[], distribution: Record<string, number>, honest: number, helped: number,
 *   mine: {game: string, moves: number, done: boolean, helped: boolean}|null}} Daily
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
 *   name: string|null, mine: (RoomCell|null)[], allowed: string[]}} Room
 */
/** @typedef {{moves: number, done: boolean, hints: number, undos: number, seconds: number}} RoomCell */
/**
 * @typedef {{code: string, title: string, boards: RoomBoard[], allowed: string[], addresses: string[],
 *   locked: boolean, rows: {member: string, name: string, results: (RoomCell|null)[]}[]}} RoomResults
 */
/** @typedef {{name: string, params: string[]}} Route */
/**
 * @typedef {object} Settings  what the browser remembers for itself
 * @property {"auto"|"light"|"dark"} theme
 * @property {"classic"|"clear"} palette
 * @property {Record<string, string>} adviser  by mode
 * @property {number} speed  moves a second when watching
 * @property {boolean} asked  whether the question about being remembered was answered
 * @property {boolean} sound @property {boolean} vibration
 * @property {boolean} preview  show what an attack would cut off
 * @property {number} finished  games finished in this browser
 * @property {Record<string, number>} stars  1 to 3, by number of the campaign's board
 * @property {Record<string, number[]>} races  by rival: 1 won, 0 drawn, -1 lost; the latest ten
 */
/**
 * @typedef {object} Setup  the form for a new game
 * @property {string} mode @property {Record<string, any>} options
 * @property {number} height @property {number} width @property {number} p
 * @property {string} seed @property {string} text
 * @property {string} rival  whom to race against
 */
/**
 * @typedef {object} Watch  a line of play that is shown in place of the game
 * @property {Film} film @property {string} agent @property {number} at @property {boolean} running
 */
/**
 * @typedef {object} State
 * @property {Route} route
 * @property {((state: State) => any)|null} view  what draws this address; null while it is being loaded
 * @property {About|null} about
 * @property {Player} me
 * @property {Settings} settings
 * @property {Setup} setup
 * @property {Game|null} game
 * @property {Par|null} par
 * @property {Action[]} queue
 * @property {boolean} reconnecting
 * @property {""|"wave"|"cut"} finale
 * @property {number} counted  moves counted up at the end
 * @property {number|null} nudged  the square of a click that did nothing
 * @property {Rival|null} rival
 * @property {Outlook|null} outlook
 * @property {number|null} lookAt  the square under the pointer
 * @property {Level[]|null} campaign
 * @property {boolean} live  whether the teacher's table is up to date
 * @property {string} lost  why the address leads nowhere
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
 * @property {Room|null} room
 * @property {RoomResults|null} results
 * @property {string} removing  the member whom a teacher is about to remove
 * @property {{title: string, count: number, link: string, boards: {label: string, board: Record<string, any>}[], switches: Record<string, boolean>}} roomForm
 * @property {{mode: string}} lesson
 * @property {string} dialog  "" or the name of an open dialog
 * @property {boolean} busy  an answer is awaited
 * @property {string} said  for the live region
 * @property {string} notice  a message that goes away by itself
 * @property {boolean} noticeIsError
 */
export {};
