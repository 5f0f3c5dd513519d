// The camera and the board of this phone or computer.

import { style } from "./dom.js";
import { place } from "./kept.js";
import { later } from "./parts/dialog.js";
import { readLater } from "./texts.js";

// The phone's own camera: whether the page may have it, and the parts of the page that need it. Few phones do, so
// these are loaded when they are gone to, with their style and their texts.

/** Why there is no camera on this page: "insecure", "none", or null where there may be one. */
export function whyNoCamera() {
  if (!globalThis.isSecureContext) return "insecure";
  return navigator.mediaDevices?.getUserMedia ? null : "none";
}

/** Whether the browser would open the camera without asking. */
export async function mayOpenCamera() {
  try {
    return (await navigator.permissions.query({ name: "camera" })).state === "granted";
  } catch {
    return false;
  }
}

/** A module of `camera/`, with what it needs: `load` imports it. */
export async function withCamera(load) {
  style("camera");
  const [loaded] = await Promise.all([load(), readLater()]);
  return loaded;
}

// A board plugged into this computer. Few computers have one, so what reads it is loaded when it is wanted.

const panel = later(async () => {
  const [loaded] = await Promise.all([import("./board/board.js"), readLater()]);
  return loaded;
});

/** What a host may do with a board here; nothing where the browser reads none, or the deck has nothing to stand on it. */
export function ownBoard({ state: { powers } }) {
  return "serial" in navigator && Object.keys(powers).length ? (panel()?.boardPanel() ?? null) : null;
}

/** Go on with the board of this computer, if the table has one. */
export async function resumeBoard(table) {
  if ("serial" in navigator && place(table)?.board) (await import("./board/board.js")).resume(table);
}
