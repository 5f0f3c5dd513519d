// Which lights of a board show what has to be put right. No I/O.

import { NONE } from "./wire.js";

const LIGHTS = 1;
const BUZZER = 2;
const [OFF, , SLOW, FAST] = [0, 1, 2, 3];
const BUZZ = { kind: "buzz", place: NONE, duration: 120, pitch: 2000 };
const RETRY_MS = 1_000;

/** Lights of a board whose powers have these names. */
export function lights(names) {
  let shown = new Map();
  let urgent = new Set();
  let buzz = false;
  let notBefore = 0;

  /** A board switches its lights off when it is connected to. */
  function connected() {
    shown = new Map();
    notBefore = 0;
  }

  /** The next command towards the table's discrepancies, or null. */
  function next(discrepancies, hello, now) {
    const wanted = wants(discrepancies);
    if (now < notBefore) return null;
    if (hello.features & LIGHTS) {
      for (const place of [...new Set([...shown.keys(), ...wanted.keys()])].sort((a, b) => a - b)) {
        const { pattern = OFF, power = NONE } = wanted.get(place) ?? {};
        if (place <= hello.seats && key(shown.get(place)) !== key(wanted.get(place))) return { kind: "light", place, pattern, power };
      }
    }
    return buzz && hello.features & BUZZER ? BUZZ : null;
  }

  // A power taken ahead of its card need not go back; an urgent one wins at a shared place.
  function wants(discrepancies) {
    const found = discrepancies.filter(({ power, should, kind }) => names.includes(power) && Number.isInteger(should) && kind !== "ahead");
    const pressing = new Set(found.filter(({ kind }) => kind === "misplaced").map(({ power, should }) => `${power} ${should}`));
    if ([...pressing].some((one) => !urgent.has(one))) buzz = true;
    else if (!pressing.size) buzz = false;
    urgent = pressing;
    const pattern = ({ kind }) => (kind === "misplaced" ? FAST : SLOW);
    return new Map([...found].sort((a, b) => pattern(a) - pattern(b)).map((one) => [one.should, { pattern: pattern(one), power: names.indexOf(one.power) }]));
  }

  /** A command's result; one that is refused is not repeated. */
  function answered(command, result, now) {
    if (command.kind === "buzz") buzz = false;
    else if (result === null) notBefore = now + RETRY_MS;
    else if (command.pattern === OFF) shown.delete(command.place);
    else shown.set(command.place, command);
  }

  return { connected, next, answered };
}

const key = (light) => (light ? `${light.pattern} ${light.power}` : "");
