// Messages to the player, and one way to run anything that may be refused.

import { Refused } from "./api.js";
import { set } from "./store.js";

let timer = 0;

/** For the live region: what happened. @param {string} text */
export const say = (text) => set({ said: text });

/** A message that goes away by itself. @param {string} text @param {boolean} [isError] */
export function notify(text, isError = false) {
  set({ notice: text, noticeIsError: isError });
  clearTimeout(timer);
  timer = window.setTimeout(() => set({ notice: "" }), isError ? 7000 : 3000);
}

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
