// Keeps the screen on while a table is open: by the browser's lock, and where it has none by a picture that plays
// without sound, which some phones take for a film.

import { redraw } from "./state.js";

let wanted = false;
let lock = null;
let film = null;

/** How the screen is kept on: "lock", "film", or null where it is not. */
export const awakeBy = () => (lock ? "lock" : film && !film.paused ? "film" : null);

/** Keep the screen on from now on, or no longer. */
export function stayAwake(on) {
  wanted = on;
  if (on) hold();
  else release();
}

async function hold() {
  if (!wanted || lock || document.hidden || !navigator.wakeLock) return;
  try {
    const held = await navigator.wakeLock.request("screen");
    // The browser lets go when the page is hidden, or the battery is low.
    held.addEventListener("release", () => {
      if (lock === held) lock = null;
      redraw();
    });
    lock = held;
    if (!wanted) release();
    redraw();
  } catch {
    // Refused, as to save power; the next touch asks again.
  }
}

function release() {
  const held = lock;
  lock = null;
  held?.release().catch(() => {});
  film?.pause();
}

// Nothing plays before somebody has touched the page.
function touched() {
  if (!wanted) return;
  if (navigator.wakeLock) hold();
  else play();
}

function play() {
  film ??= makeFilm();
  if (film?.paused) film.play().then(redraw, () => {});
}

function makeFilm() {
  const canvas = document.createElement("canvas");
  if (!canvas.captureStream) return null;
  canvas.width = canvas.height = 2;
  const brush = canvas.getContext("2d");
  const video = document.createElement("video");
  video.muted = true;
  video.setAttribute("playsinline", "");
  video.setAttribute("aria-hidden", "true");
  video.tabIndex = -1;
  video.className = "awake-film";
  video.srcObject = canvas.captureStream(1);
  document.body.append(video);
  let shade = 0;
  setInterval(() => {
    if (video.paused) return;
    shade = 1 - shade;
    brush.fillStyle = shade ? "#000000" : "#010101";
    brush.fillRect(0, 0, 2, 2);
  }, 1_000);
  return video;
}

addEventListener("pointerdown", touched);
document.addEventListener("visibilitychange", hold);
