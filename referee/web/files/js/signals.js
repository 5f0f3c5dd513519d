// Sounds and vibration: your turn, a ruling against somebody, UNO. Both can be switched off.

import { read, write } from "./kept.js";
import { isLate } from "./state.js";

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

/** Play a tune and buzz, as far as they are on. */
export function play(name) {
  if (isOn("vibration")) navigator.vibrate?.(BUZZES[name]);
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
