// What the phone itself does: its look, its screen, sounds, the voice, taps.

import { read, write } from "./kept.js";
import { isLate, redraw } from "./state.js";
import { language, t } from "./texts.js";

// How the page looks on this phone: light or dark, and how large its letters are.

const DARK = matchMedia("(prefers-color-scheme: dark)");

/** Light or dark as it was chosen: "light", "dark", or "system" for what the phone says. */
export const scheme = () => read("scheme", "system");

/** How large the letters are, in percent of what the browser makes them. */
export const size = () => read("size", 100);

/** Look like that from now on. */
export function setScheme(wanted) {
  write("scheme", wanted === "system" ? null : wanted);
  dress();
}

/** Write this large from now on. */
export function setSize(wanted) {
  write("size", wanted === 100 ? null : wanted);
  dress();
}

/** Look as was chosen. */
export function dress() {
  const root = document.documentElement;
  const wanted = scheme();
  root.dataset.scheme = wanted === "system" ? (DARK.matches ? "dark" : "light") : wanted;
  if (size() === 100) delete root.dataset.size;
  else root.dataset.size = size();
  const ground = getComputedStyle(root).getPropertyValue("--ground").trim();
  for (const meta of document.querySelectorAll("meta[name=theme-color]")) meta.content = ground;
}

DARK.addEventListener("change", dress);

// Keeps the screen on while a table is open: by the browser's lock, and where it has none by a picture that plays
// without sound, which some phones take for a film.

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
function onTouch() {
  if (!wanted) return;
  if (navigator.wakeLock) hold();
  else playFilm();
}

function playFilm() {
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

addEventListener("pointerdown", onTouch);
document.addEventListener("visibilitychange", hold);

// Sounds and vibration: your turn, a ruling against somebody, UNO. Both can be switched off.

const TUNES = {
  turn: [
    [660, 0, 0.12],
    [880, 0.13, 0.18],
  ],
  illegal: [
    [220, 0, 0.18],
    [165, 0.2, 0.3],
  ],
  uno: [
    [784, 0, 0.08],
    [988, 0.09, 0.08],
    [1175, 0.18, 0.2],
  ],
  hit: [
    [440, 0, 0.1],
    [330, 0.11, 0.1],
    [247, 0.22, 0.22],
  ],
  won: [
    [523, 0, 0.12],
    [659, 0.12, 0.12],
    [784, 0.24, 0.12],
    [1047, 0.36, 0.35],
  ],
  time: [
    [494, 0, 0.16],
    [494, 0.24, 0.16],
    [370, 0.48, 0.4],
  ],
  tap: [[520, 0, 0.04]],
};
const BUZZES = { turn: [60, 60, 60], illegal: [220], uno: [40, 40, 40, 40, 120], hit: [120, 60, 120], won: [60, 40, 60, 40, 240], time: [200, 80, 200], tap: [15] };
const WON = new Set(["round-won", "game-won", "challenge-won"]);
let sound = null;

/** Whether sounds, or vibration, are on. */
export const isOn = (kind) => read(kind, kind === "vibration");

/** Switch "sound" or "vibration". */
export function turn(kind, on) {
  write(kind, on);
  if (on) play("tap");
}

/** What an entry of the log sounds like at this phone, if anything. */
export function signal(entry, before, after, seat) {
  const { event, tone } = entry.banners?.find((one) => one.seat === seat) ?? {};
  if (isLate(entry)) return;
  if (entry.kind === "time-up" || entry.move?.move === "timeout") return play("time");
  if (entry.ruling?.verdict === "illegal" && entry.kind !== "corrected") play("illegal");
  else if (WON.has(event)) play("won");
  else if (tone === "bad") play("hit");
  else if (entry.events?.some(({ event }) => event === "uno-called" || event === "uno-missed")) {
    play("uno");
  } else if (seat && isDue(after, seat) && !isDue(before, seat)) play("turn");
}

const isDue = (now, seat) => now.awaiting.some((one) => one.seat === seat);

/** Play a tune and buzz, as far as they are on; browsers refuse, and complain of, a buzz before the first touch. */
export function play(name) {
  if (isOn("vibration") && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(BUZZES[name]);
  if (!isOn("sound")) return;
  sound ??= new AudioContext();
  for (const [pitch, from, length] of TUNES[name]) tone(pitch, sound.currentTime + from, length);
}

/** Browsers let a page sound only after a touch; this is called at each. */
export function wake() {
  if (!isOn("sound")) return;
  sound ??= new AudioContext();
  if (sound.state === "suspended") sound.resume();
}

function tone(pitch, at, length) {
  const oscillator = new OscillatorNode(sound, { frequency: pitch, type: "triangle" });
  const volume = new GainNode(sound, { gain: 0 });
  volume.gain.setValueAtTime(0.18, at);
  volume.gain.exponentialRampToValueAtTime(0.001, at + length);
  oscillator.connect(volume).connect(sound.destination);
  oscillator.start(at);
  oscillator.stop(at + length);
}

// The referee's voice: what happens is said aloud in the page's language, once, where somebody switched it on.

const TAGS = { no: "nb", en: "en-GB", pt: "pt-BR" };
// Of what waits to be said, so much is kept: old news must not hold up new ones.
const MOST_WAITING = 6;
let last = [];
let waiting = 0;

const synthesis = () => globalThis.speechSynthesis;

/** Whether this browser can speak at all. */
export const canSpeak = () => Boolean(synthesis() && globalThis.SpeechSynthesisUtterance);

/** Whether the voice is on. */
export const isSpeaking = () => canSpeak() && read("voice", false);

/** The voice for the language, null if the phone has none; undefined while voices are not known yet. */
export function voice() {
  const all = synthesis()?.getVoices() ?? [];
  if (!all.length) return undefined;
  const wanted = language() === "no" ? ["nb", "no", "nn"] : [language()];
  return wanted.flatMap((one) => all.filter(({ lang }) => lang.split(/[-_]/)[0].toLowerCase() === one))[0] ?? null;
}

/** Switch the voice on, which it says, or off at once. */
export function setSpeaking(on) {
  write("voice", on);
  if (on) say([t("voice.on")]);
  else hush();
}

/** Say nothing more. */
function hush() {
  waiting = 0;
  synthesis()?.cancel();
}

/** Say what has happened; `again` repeats it. */
export function tell(sentences) {
  const news = sentences.filter(Boolean);
  if (!news.length) return;
  last = news;
  if (waiting > MOST_WAITING) hush();
  say(news);
}

/** Say at once what somebody asks for or touches, and drop what was being said. */
export function answer(...sentences) {
  if (!isSpeaking()) return;
  hush();
  say(sentences.filter(Boolean));
}

/** Say once more what was said last. */
export const again = () => answer(...last);

// Sentence by sentence: some browsers stop in the middle of a long text.
function say(sentences) {
  if (!isSpeaking()) return;
  const found = voice();
  for (const sentence of sentences.flatMap((one) => one.split(/(?<=[.!?])\s+/))) {
    const spoken = new SpeechSynthesisUtterance(sentence);
    spoken.lang = found?.lang ?? TAGS[language()] ?? language();
    if (found) spoken.voice = found;
    spoken.onend = spoken.onerror = () => (waiting = Math.max(0, waiting - 1));
    waiting += 1;
    synthesis().speak(spoken);
  }
}

// Some browsers go on speaking after the page has gone.
addEventListener("pagehide", hush);

// A finger that taps twice means what it saw first: whatever came under it meanwhile is not tapped. Elsewhere, and on the
// same button, a second tap counts at once.

const TWICE_MS = 400;
// In CSS pixels: a trembling finger comes down so far from where it was.
const NEAR = 32;
const PRESSED = "button, a[href], label, summary, input, select, dialog";
let lastTap = null;
let touched = false;
let ignoredUntil = 0;

/** Whether a finger presses, and no mouse or program does. */
export const tappedByFinger = () => touched;

// What a tap is meant for, which a new drawing of the same button may change.
function meant(target) {
  const found = target.closest?.(PRESSED);
  // A label presses its field, which is one tap.
  const pressed = found?.control ?? found;
  return pressed ? (pressed.dataset.do ?? pressed.dataset.key ?? (pressed.id || pressed.getAttribute("aria-label") || pressed.textContent)) : null;
}

function isTooSoon({ timeStamp, clientX, clientY, detail }) {
  // Of a mouse the browser knows a second click.
  if (!touched) return detail > 1;
  return timeStamp - lastTap.timeStamp < TWICE_MS && Math.hypot(clientX - lastTap.clientX, clientY - lastTap.clientY) < NEAR;
}

/** Let a finger press nothing for a moment: what was under it has gone by itself. */
export const ignoreTaps = () => (ignoredUntil = performance.now() + TWICE_MS);

function clicked(event) {
  // Keys, and what the page itself presses, have no place on the screen.
  if (!event.isTrusted || event.detail === 0) return;
  const what = meant(event.target);
  if ((touched && event.timeStamp < ignoredUntil) || (lastTap && what !== lastTap.what && isTooSoon(event))) {
    event.preventDefault();
    event.stopImmediatePropagation();
    return;
  }
  const { timeStamp, clientX, clientY } = event;
  lastTap = { what, timeStamp, clientX, clientY };
}

/** Let no second tap of a double tap press what the first one has brought. */
export function guardTaps() {
  addEventListener("pointerdown", ({ pointerType }) => (touched = pointerType !== "mouse"), true);
  addEventListener("click", clicked, true);
}
