// What the server sends, by short names, and what the page keeps. Types only: nothing here runs.

/** @typedef {import("./schemas.js").Schemas} Schemas */
/** @typedef {Schemas["ParView"]} Par */
/** @typedef {Schemas["GameView"] & {options: Record<string, any>}} Game */
/** @typedef {Schemas["Film"]} Film */
/** @typedef {Schemas["LevelView"]} Level */
/** @typedef {Schemas["About"]} About */
/** @typedef {Schemas["ModeView"]} Mode */
/** @typedef {Schemas["OptionView"]} ModeOption */
/** @typedef {Schemas["Adviser"]} Agent */
/** @typedef {Schemas["PlayerView"]} Player */
/** @typedef {Schemas["MoveAnalysis"]} MoveAnalysis */
/** @typedef {Schemas["AnalysisView"]} Analysis */
/** @typedef {Schemas["ArchiveDay"]} ArchiveDay */
/** @typedef {Schemas["DailyEntry"]} Entry */
/** @typedef {Schemas["DailyView"]} Daily */
/** @typedef {Schemas["Stats"]} Stats */
/** @typedef {Schemas["RoomBoardView"]} RoomBoard */
/** @typedef {Schemas["RoomView"]} Room */
/** @typedef {Schemas["RoomResults"]} RoomResults */
/** @typedef {Schemas["RivalView"] & {gaveUp: boolean}} Rival */
/** @typedef {Pick<Schemas["OutlookView"], "cuts">} Outlook */
/**
 * @typedef {{kind: "moves", square: number, think_ms: number}
 *   | {kind: "undo"|"redo"|"restart", think_ms: number}} Action
 *   something that the player did and the server has not answered yet
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
 * @typedef {object} RoomForm  the form for a new room
 * @property {string} title @property {number} count @property {string} link
 * @property {{label: string, board: Record<string, any>}[]} boards @property {Record<string, boolean>} switches
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
 * @property {boolean} offline  whether the server does not answer
 * @property {""|"wave"|"cut"} finale
 * @property {number} counted  moves counted up at the end
 * @property {number|null} nudged  the square of a click that did nothing
 * @property {Rival|null} rival
 * @property {Outlook|null} outlook
 * @property {number|null} pointed  the square under the pointer
 * @property {Level[]|null} campaign
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
 * @property {RoomForm} roomForm
 * @property {{mode: string}} lesson
 * @property {string} dialog  "" or the name of an open dialog
 * @property {boolean} busy  an answer is awaited
 * @property {string} said  for the live region
 * @property {string} notice  a message that goes away by itself
 * @property {boolean} noticeIsError
 */
export {};
