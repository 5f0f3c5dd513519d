// Where the powers are, and observations of their changes, from a board's cells. No I/O. A placement is told at
// once; lifted, unknown and broken sensors only once they have lasted SETTLE ms of the board's time.

import { elapsed } from "./link.js";

const SETTLE = 300;
const PRESENT = 1;
const UNKNOWN = 2;
const POWERS = 4;
const FAULTS = "faults";

const readings = (cell) => Array.from({ length: POWERS }, (_, power) => Math.min((cell >> (2 * power)) & 3, UNKNOWN));
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

function where(places) {
  const present = places.flatMap((reading, place) => (reading === PRESENT ? [place] : []));
  if (present.length === 1) return { position: present[0] };
  if (present.length) return { position: "unknown", places: present };
  return { position: places.includes(UNKNOWN) ? "unknown" : "lifted" };
}

/** The positions of powers with these names, in the board's order; each method returns bodies of observations. */
export function positions(names) {
  let reported = {};
  let faults = [];
  let cells = null;
  let time = 0;
  const settling = new Map();

  /** The board restarted, or changes are missing: a snapshot follows. A change before it tells of its own place alone. */
  function restart() {
    cells = null;
    settling.clear();
  }

  /** What was reported did not arrive: all of it is told again. */
  function forget() {
    restart();
    reported = {};
    faults = [];
  }

  function snapshot(at, all) {
    const bodies = settle(at);
    if (!cells) time = at;
    cells = [...all];
    return [...bodies, ...look()];
  }

  function change(at, place, cell) {
    if (!cells) return placed(place, readings(cell));
    if (place >= cells.length) return [];
    const bodies = settle(at);
    cells[place] = cell;
    return [...bodies, ...look()];
  }

  function placed(place, read) {
    return report(Object.fromEntries(names.filter((_, power) => read[power] === PRESENT).map((name) => [name, { position: place }])), null);
  }

  function silent() {
    settling.clear();
    return report(Object.fromEntries(names.map((name) => [name, { position: "unknown" }])), null);
  }

  /** Nothing changed up to this time of the board's. */
  function settle(at) {
    if (!cells) return [];
    if (elapsed(time, at) > 0) time = at;
    const ripe = [...settling].filter(([, { since }]) => elapsed(since, time) >= SETTLE);
    for (const [name] of ripe) settling.delete(name);
    const found = Object.fromEntries(ripe.map(([name, one]) => [name, one.found]));
    const { [FAULTS]: broken = null, ...powers } = found;
    return report(powers, broken);
  }

  function look() {
    const read = cells.map(readings);
    const atOnce = {};
    names.forEach((name, power) => {
      const found = where(read.map((cell) => cell[power]));
      if (typeof found.position === "number") {
        settling.delete(name);
        atOnce[name] = found;
      } else wait(name, found, reported[name]);
    });
    const broken = read.flatMap((cell, place) => (cell.includes(UNKNOWN) ? [{ place, powers: names.filter((_, power) => cell[power] === UNKNOWN) }] : []));
    wait(FAULTS, broken, faults);
    return report(atOnce, null);
  }

  function wait(name, found, told) {
    if (same(found, told)) settling.delete(name);
    else if (!same(settling.get(name)?.found, found)) settling.set(name, { found, since: time });
  }

  function report(found, broken) {
    const fresh = Object.entries(found).filter(([name, at]) => !same(reported[name], at));
    if (!fresh.length && broken === null) return [];
    Object.assign(reported, Object.fromEntries(fresh));
    const body = { kind: "powers", powers: Object.fromEntries(fresh.map(([name, { position }]) => [name, position])) };
    const several = fresh.filter(([, { places }]) => places);
    if (several.length) body.conflicts = Object.fromEntries(several.map(([name, { places }]) => [name, places]));
    if (broken !== null) {
      faults = broken;
      body.faults = broken;
    }
    return [body];
  }

  return { names, restart, forget, snapshot, change, clock: settle, silent, now: () => ({ ...reported }), faults: () => faults };
}
