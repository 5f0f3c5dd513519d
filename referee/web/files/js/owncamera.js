// The phone's own camera: whether the page may have it, and the parts of the page that need it. Few phones do, so
// these are loaded when they are gone to, with their style and their texts.

import { style } from "./styles.js";
import { readLater } from "./texts.js";

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
