// The one place that holds the state of the page; every change goes through `set`.

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Settings} Settings */

const SAVED = "chokepoint.settings";

/** @returns {Settings} */
function savedSettings() {
  /** @type {Settings} */
  const usual = {
    theme: "auto", palette: "classic", adviser: {}, speed: 3, lessonSeen: false, asked: false,
  };
  try {
    return { ...usual, ...JSON.parse(localStorage.getItem(SAVED) ?? "{}") };
  } catch {
    return usual; // storage switched off, or not what we wrote
  }
}

/** @type {State} */
let state = {
  route: { name: "home", params: [] },
  about: null,
  me: { consented: false, name: null },
  settings: savedSettings(),
  setup: { mode: "network", options: {}, height: 10, width: 10, p: 0.8, seed: "", text: "" },
  game: null, par: null,
  cursor: 0, cursorShown: false, delays: new Map(), zoom: 1,
  heat: null, hint: null, watch: null, agentRunning: false,
  analysis: null, analysisAt: 0, replaying: false,
  today: null, archive: null, daily: null, stats: null, nameTyped: null,
  room: null, results: null, roomForm: { title: "", count: 3, link: "", boards: [] },
  lesson: { mode: "network" },
  dialog: "", busy: false, said: "", notice: "", noticeIsError: false,
};

/** @type {((state: State) => void)|null} */
let render = null;
let scheduled = false;

export function get() {
  return state;
}

/** Change the state; the page follows with the next frame. @param {Partial<State>} change */
export function set(change) {
  state = { ...state, ...change };
  if (scheduled || !render) return;
  scheduled = true;
  queueMicrotask(() => {
    scheduled = false;
    render?.(state);
  });
}

/** @param {Partial<Settings>} change */
export function setSettings(change) {
  const settings = { ...state.settings, ...change };
  try {
    localStorage.setItem(SAVED, JSON.stringify(settings));
  } catch {
    // it then lasts until the page is closed
  }
  set({ settings });
}

/** @param {(state: State) => void} draw */
export function start(draw) {
  render = draw;
  draw(state);
}
