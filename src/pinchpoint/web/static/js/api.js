// Requests to our own server, and nowhere else.

import { get, notify, set } from "./state.js";

const TIMEOUT = 20_000; // ms
const SILENCE = 2000; // ms without an answer to a quick request after which the page says so
export const QUICK = 4000; // ms after which a quick request is given up
const LONGEST_WAIT = 4000; // ms between two tries

export class Refused extends Error {
  /** @param {string} message @param {number} status  0: no answer came */
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/** Whoever knows this may move in the games of this tab. It lasts until the tab is closed. */
const secret = (() => {
  const name = "pinchpoint.secret";
  const fresh = Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, "0")).join("");
  try {
    // The name before.
    const known = sessionStorage.getItem(name) ?? sessionStorage.getItem("chokepoint.secret") ?? fresh;
    sessionStorage.setItem(name, known);
    return known;
  } catch {
    return fresh; // storage switched off: it lasts until the page is loaded again
  }
})();

/**
 * @param {string} method @param {string} path @param {any} [body] @param {Record<string, string>} [more]
 * @param {number} [timeout]
 */
async function request(method, path, body, more = {}, timeout = TIMEOUT) {
  /** @type {Record<string, string>} */
  const headers = { "x-browser-secret": secret, ...more };
  if (body !== undefined) headers["content-type"] = "application/json";
  let response, answer;
  const silence = timeout <= QUICK ? setTimeout(() => set({ offline: true }), SILENCE) : 0;
  try {
    response = await fetch(`/api${path}`, {
      method,
      headers,
      credentials: "same-origin",
      signal: AbortSignal.timeout(timeout),
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const kind = response.headers.get("content-type") ?? "";
    answer = kind.includes("json") ? await response.json() : await response.text();
  } catch {
    lost();
    throw new Refused("The server does not answer.", 0);
  } finally {
    clearTimeout(silence);
  }
  if (response.status >= 500) lost();
  else if (get().offline) set({ offline: false });
  if (!response.ok) throw new Refused(sentence(answer?.detail ?? "Something went wrong."), response.status);
  return answer;
}

/** @param {string} text */
function sentence(text) {
  const line = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(line) ? line : `${line}.`;
}

/** @param {string} path @param {Record<string, string>} [headers] */
export const read = (path, headers) => request("GET", path, undefined, headers);
/** @param {string} path @param {any} body @param {number} [timeout] */
export const post = (path, body, timeout) => request("POST", path, body, {}, timeout);
/** @param {string} path @param {any} body @param {Record<string, string>} [headers] */
export const put = (path, body, headers) => request("PUT", path, body, headers);
/** @param {string} path @param {Record<string, string>} [headers] */
export const remove = (path, headers) => request("DELETE", path, undefined, headers);

/** Do something and show the sentence if it is refused. @template T @param {() => Promise<T>} what */
export async function attempt(what) {
  try {
    return await what();
  } catch (error) {
    if (error instanceof Refused) notify(error.message, true);
    else throw error;
    return null;
  }
}

/** @param {number} ms */
export const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** Whether the same request may be granted later. @param {unknown} error */
export const isPassing = (error) =>
  error instanceof Refused && (error.status === 0 || error.status === 429 || error.status >= 500);

let looking = false;

/** Say that there is no connection, and look for it until it is back. */
async function lost() {
  set({ offline: true });
  if (looking) return;
  looking = true;
  for (let wait = 1000; get().offline; wait = Math.min(wait * 1.5, LONGEST_WAIT)) {
    await pause(wait);
    if (get().offline) await read("/me").catch(() => {});
  }
  looking = false;
}

/** Whether the visitor is still where this was called. @returns {() => boolean} */
export function staying() {
  const { route } = get();
  return () => get().route === route;
}

/**
 * Ask until there is an answer, and again as long as `use` says so; without a connection the page goes on trying.
 * Nothing is done any more when `here` says no: usually when the visitor has left the view.
 * @template T @param {() => Promise<T>} ask @param {(answer: T) => boolean|void} use
 * @param {{here?: () => boolean, wait?: number, most?: number, refused?: (sentence: string) => void}} [how]
 */
export async function poll(ask, use, how = {}) {
  const { here = staying(), most = LONGEST_WAIT, refused = (lost) => set({ lost }) } = how;
  for (let wait = how.wait ?? 400; ; wait = Math.min(wait * 1.5, most)) {
    try {
      const answer = await ask();
      if (!here() || !use(answer)) return;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (!here()) return;
      if (!isPassing(error)) return refused(error.message);
    }
    await pause(wait);
    if (!here()) return;
  }
}
