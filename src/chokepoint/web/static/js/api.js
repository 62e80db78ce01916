// Requests to our own server, and nowhere else.

export class Refused extends Error {
  /** @param {string} message @param {number} status */
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/** @param {string} method @param {string} path @param {any} [body] @param {Record<string, string>} [headers] */
async function request(method, path, body, headers = {}) {
  /** @type {RequestInit} */
  const init = { method, headers, credentials: "same-origin" };
  if (body !== undefined) {
    init.body = JSON.stringify(body);
    init.headers = { ...headers, "content-type": "application/json" };
  }
  let response;
  try {
    response = await fetch(`/api${path}`, init);
  } catch {
    throw new Refused("The server does not answer. Is it still running?", 0);
  }
  const kind = response.headers.get("content-type") ?? "";
  const answer = kind.includes("json") ? await response.json() : await response.text();
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
/** @param {string} path @param {any} body */
export const post = (path, body) => request("POST", path, body);
/** @param {string} path @param {any} body */
export const put = (path, body) => request("PUT", path, body);
/** @param {string} path */
export const remove = (path) => request("DELETE", path);
