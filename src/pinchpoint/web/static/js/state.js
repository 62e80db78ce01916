// The state of the page, its address included. Every change goes through `set`.

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Settings} Settings */

export const LEVELS = 40; // boards of the campaign
const SAVED = "pinchpoint.settings";
const SAVED_BEFORE = "chokepoint.settings"; // what the page was called when stars and races were first kept

/** @returns {Settings} */
function savedSettings() {
  /** @type {Settings} */
  const usual = {
    theme: "auto",
    palette: "classic",
    adviser: {},
    speed: 3,
    asked: false,
    sound: false,
    vibration: true,
    preview: false,
    finished: 0,
    stars: {},
    races: {},
  };
  try {
    return { ...usual, ...JSON.parse(localStorage.getItem(SAVED) ?? localStorage.getItem(SAVED_BEFORE) ?? "{}") };
  } catch {
    return usual; // storage switched off, or not what we wrote
  }
}

/** What the state holds of a game: all of it is new with each game. */
export const NO_GAME = {
  game: null,
  par: null,
  queue: [],
  finale: /** @type {const} */ (""),
  counted: 0,
  cursor: 0,
  cursorShown: false,
  delays: new Map(),
  zoom: 1,
  nudged: null,
  heat: null,
  hint: null,
  watch: null,
  agentRunning: false,
  rival: null,
  outlook: null,
  pointed: null,
  analysis: null,
  analysisAt: 0,
  replaying: false,
  busy: false,
};

/** @type {State} */
let state = {
  ...NO_GAME,
  route: { name: "", params: [] },
  view: null,
  about: null,
  me: { consented: false, name: null },
  settings: savedSettings(),
  setup: { mode: "network", options: {}, height: 10, width: 10, p: 0.8, seed: "", text: "", rival: "" },
  offline: false,
  today: null,
  archive: null,
  daily: null,
  stats: null,
  campaign: null,
  room: null,
  results: null,
  removing: "",
  roomForm: { title: "", count: 3, link: "", boards: [], switches: {} },
  lesson: { mode: "network" },
  lost: "",
  dialog: "",
  said: "",
  notice: "",
  noticeIsError: false,
};

/** @type {((state: State) => void)|null} */
let render = null;
let scheduled = false;

export function get() {
  return state;
}

/** Change the state; the page follows before the next frame. @param {Partial<State>} change */
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

// -- messages -----------------------------------------------------------------------------------

let timer = 0;

/** For the live region: what happened. @param {string} text */
export const say = (text) => set({ said: text });

/** A message that goes away by itself. @param {string} text @param {boolean} [isError] */
export function notify(text, isError = false) {
  set({ notice: text, noticeIsError: isError });
  clearTimeout(timer);
  timer = window.setTimeout(() => set({ notice: "" }), isError ? 7000 : 3000);
}

// -- addresses: /daily/2026-01-31/flow is the view `daily` with two parameters ---------------------

/** @type {(route: import("./types.js").Route) => void} */
let arrive = () => {};

/** Say what to do when an address is opened. @param {typeof arrive} then */
export function onArrival(then) {
  arrive = then;
  window.addEventListener("popstate", follow);
  document.addEventListener("click", (event) => {
    const link = /** @type {Element} */ (event.target).closest("a[href]");
    if (
      !(link instanceof HTMLAnchorElement) ||
      link.origin !== location.origin ||
      link.hasAttribute("download") ||
      link.target ||
      link.pathname.startsWith("/api/") ||
      event.button ||
      event.ctrlKey ||
      event.metaKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    event.preventDefault();
    go(link.pathname.slice(1));
  });
}

/** Go to an address. With `replace` the present one is forgotten, so that Back does not lead to it.
 * @param {string} path @param {boolean} [replace] */
export function go(path, replace = false) {
  if (location.pathname + location.hash !== `/${path}`)
    history[replace ? "replaceState" : "pushState"](null, "", `/${path}`);
  follow();
}

export function follow() {
  // Addresses were once behind a #; such links still work.
  const old = location.hash.match(/^#\/(.*)/);
  if (old) history.replaceState(null, "", `/${old[1]}`);
  const [name, ...params] = location.pathname.slice(1).split("/").map(decode);
  // A key, which the browser keeps to itself.
  if (name === "class" && location.hash) params.push(location.hash.slice(1));
  const route = { name, params };
  const moved = state.route.name !== name;
  set({ route, dialog: "", lost: "" });
  arrive(route);
  if (moved) window.scrollTo(0, 0);
}

/** @param {string} part */
function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
