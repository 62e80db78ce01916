// Addresses: what stands behind the # says what is shown, and what has to be fetched for it.

import { get, set } from "./store.js";

/** @type {Record<string, (params: string[]) => void>} */
const arrivals = {};

/** What to do when an address is opened. @param {string} name @param {(params: string[]) => void} load */
export function arrive(name, load) {
  arrivals[name] = load;
}

/** @param {string} path */
export function go(path) {
  const hash = `#/${path}`;
  if (location.hash === hash || (!path && !location.hash)) follow();
  else location.hash = hash;
}

export function follow() {
  const [name, ...params] = location.hash.replace(/^#\/?/, "").split("/").map(decode);
  const route = { name: name || "home", params };
  const moved = get().route.name !== route.name;
  set({ route, dialog: "" });
  arrivals[route.name]?.(params);
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
