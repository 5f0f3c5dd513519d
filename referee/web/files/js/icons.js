// Small pictures beside words; never instead of them.

import { svg } from "./dom.js";

const PATHS = {
  table: "M4 7h16v4H4zM6 11v8M18 11v8M9 7V4h6v3",
  chart: "M4 20h16M6 17v-6M11 17V5M16 17v-9",
  book: "M12 6C10 4 7 4 4 5v13c3-1 6-1 8 1 2-2 5-2 8-1V5c-3-1-6-1-8 1v13",
  tools: "M14 4a5 5 0 0 0-4 7l-6 6 3 3 6-6a5 5 0 0 0 7-4l-3 1-3-3 1-3z",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  screen: "M3 5h18v11H3zM9 20h6M12 16v4",
  close: "M6 6l12 12M18 6 6 18",
  back: "M14 5l-7 7 7 7",
  check: "M5 13l4 4L19 7",
  warn: "M12 4 22 20H2zM12 10v4M12 17h.01",
  ask: "M9 9a3 3 0 1 1 4 3c-1 .5-1 1-1 2M12 18h.01M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18",
  info: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 11v6M12 7h.01",
  offline: "M3 3l18 18M5 12a10 10 0 0 1 5-2.6M2 8.5A15 15 0 0 1 8 5.2M12 19h.01M14 9.6A10 10 0 0 1 19 12M11 4.7A15 15 0 0 1 22 8.5",
  camera: "M4 8h3l2-3h6l2 3h3v11H4zM12 10a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7",
  save: "M12 4v11M7 10l5 5 5-5M5 20h14",
  share: "M12 15V4M7 9l5-5 5 5M5 13v7h14v-7",
  sound: "M4 10v4h4l5 4V6L8 10zM17 9a4 4 0 0 1 0 6",
  up: "M6 14l6-6 6 6",
  down: "M6 10l6 6 6-6",
  people: "M8 4a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7M2 20c0-4 2-6 6-6s6 2 6 6M16 5a3 3 0 0 1 0 6M17 14c3 0 5 2 5 6",
  pencil: "M5 19l1-5L16 4l4 4L10 18zM14 6l4 4",
  undo: "M8 5 4 9l4 4M4 9h10a5 5 0 0 1 0 10h-3",
  clockwise: "M19 12a7 7 0 1 1-2-5M18 2v5h-5",
  counterclockwise: "M5 12a7 7 0 1 0 2-5M6 2v5h5",
  cards: "M4 8h9v12H4zM8 8V4h9v12h-4M18 20h4M20 18v4",
  skip: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M6 6l12 12",
  turn: "M4 9h13l-4-4M20 15H7l4 4",
  shield: "M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6z",
  cup: "M7 4h10v5a5 5 0 0 1-10 0zM12 14v5M8 20h8M7 6H3c0 3 2 5 4 5M17 6h4c0 3-2 5-4 5",
  hand: "M8 13V5a1.5 1.5 0 0 1 3 0v6V4a1.5 1.5 0 0 1 3 0v7V6a1.5 1.5 0 0 1 3 0v9c0 4-2 6-5 6s-5-1-7-5l-2-4a1.5 1.5 0 0 1 3-1z",
  log: "M5 6h.01M9 6h11M5 12h.01M9 12h11M5 18h.01M9 18h11",
  jump: "M3 18c1-11 13-12 15-2M21 11l-3 5-5-2",
  house: "M3 11l9-8 9 8M6 9v11h12V9",
  star: "M12 3l2.6 6 6.4.5-4.9 4.2 1.6 6.3L12 16.6 6.3 20l1.6-6.3L3 9.5 9.4 9z",
  eye: "M2 12c3-5 6-7 10-7s7 2 10 7c-3 5-6 7-10 7s-7-2-10-7M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6",
};

/** An icon by name. */
export function icon(name) {
  return svg(
    "svg",
    { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" },
    svg("path", { d: PATHS[name] }),
  );
}
