// Small pictures for buttons, drawn here so that nothing is fetched.

import { h } from "./vdom.js";

/** @type {Record<string, string>} */
const PATHS = {
  undo: "M9 7 4 12l5 5M4 12h10a6 6 0 0 1 0 12h-2",
  redo: "m15 7 5 5-5 5M20 12H10a6 6 0 0 0 0 12h2",
  restart: "M4 4v6h6M4.6 10a8.5 8.5 0 1 1-1 5",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  fit: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  bulb: "M9 18h6M10 21h4M8 14.5a6 6 0 1 1 8 0c-.7.6-1 1.300-1 2.500H9c0-1.200-.3-1.900-1-2.500z",
  map: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
  eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
  robot: "M12 3v4M6 7h12a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V9a2 2 0 0 1 2-2zM9 12v2M15 12v2",
  play: "M7 5v14l12-7z",
  pause: "M8 5v14M16 5v14",
  next: "M6 5v14l9-7zM18 5v14",
  back: "M18 5v14l-9-7zM6 5v14",
  close: "M6 6l12 12M18 6 6 18",
  share: "M12 15V4M8 8l4-4 4 4M5 12v7h14v-7",
  image: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9h.01",
  film: "M4 5h16v14H4zM8 5v14M16 5v14M4 9h4M4 15h4M16 9h4M16 15h4",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  gear: "M4 7h10M18 7h2M4 17h2M10 17h10M16 4.500v5M8 14.500v5",
  check: "m5 13 4 4L19 7",
  people: "M9 11a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7zM2.500 20c0-4 3-6 6.500-6s6.500 2 6.500 6M16 4.500a3.500 3.500 0 0 1 0 6.500M18 14.500c2.300.7 3.500 2.700 3.500 5.500",
};

/** @param {string} name */
export const icon = (name) =>
  h("svg", { class: "icon", viewBox: "0 0 24 26", "aria-hidden": "true" }, h("path", { d: PATHS[name] }));
