// Sounds and vibration: your turn, a ruling against somebody, UNO. Both can be switched off.

import { read, write } from "./kept.js";

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
  tap: [[520, 0, 0.04]],
};
const BUZZES = { turn: [60, 60, 60], illegal: [220], uno: [40, 40, 40, 40, 120], tap: [15] };
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
  if (entry.ruling?.verdict === "illegal" && entry.kind !== "corrected") play("illegal");
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
