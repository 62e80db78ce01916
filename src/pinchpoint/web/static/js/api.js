// Requests to our own server, and nowhere else.

import { notify } from "./state.js";

const TIMEOUT = 20_000; // ms

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
    throw new Refused("The server does not answer. Is it still running?", 0);
  }
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
