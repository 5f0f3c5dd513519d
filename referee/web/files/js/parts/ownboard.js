// A board plugged into this computer. Few computers have one, so what reads it is loaded when it is wanted.

import { place } from "../kept.js";
import { readLater } from "../texts.js";
import { later } from "./later.js";

const panel = later(async () => {
  const [loaded] = await Promise.all([import("../board/panel.js"), readLater()]);
  return loaded;
});

/** What a host may do with a board here; nothing where the browser reads none, or the deck has nothing to stand on it. */
export function ownBoard({ state: { powers } }) {
  return "serial" in navigator && Object.keys(powers).length ? (panel()?.boardPanel() ?? null) : null;
}

/** Go on with the board of this computer, if the table has one. */
export async function resumeBoard(table) {
  if ("serial" in navigator && place(table)?.board) (await import("../board/board.js")).resume(table);
}
