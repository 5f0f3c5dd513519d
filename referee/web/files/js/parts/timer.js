// The time of a turn: a ring that empties at the seat that is awaited, by the server's clock. What the clock of
// this phone says does not matter: only how much time has passed since the server spoke.

import { h, svg } from "../dom.js";
import { attempt, isHost, ownSeat } from "../session.js";
import { play } from "../phone.js";
import { notify, state } from "../state.js";
import { t } from "../texts.js";
import { selectField } from "./dialog.js";

const SECONDS = [10, 15, 20, 30, 45, 60, 90, 120, 180, 300];
const LAST = 10;
const TICK_MS = 250;
// Phones tell of the end one after the other, the one that is on turn first.
const APART_MS = 300;
let ends = 0;
let known = "";
let ticking = 0;
let warned = 0;
let told = 0;

/** What runs now, with the seconds left; null if nothing does. */
function running() {
  const timer = state.table?.timer;
  if (!timer?.running) return null;
  const { began, since } = timer.running;
  const seen = `${state.table.id} ${began} ${timer.now}`;
  if (seen !== known) {
    known = seen;
    ends = performance.now() + timer.seconds * 1_000 - (Date.parse(timer.now) - Date.parse(since));
  }
  const left = Math.max(0, (ends - performance.now()) / 1_000);
  return { ...timer.running, left, part: Math.min(1, left / timer.seconds) };
}

/** The ring at a seat, if its time runs; a number only in the last seconds. */
export function ring(seat) {
  const now = running();
  if (now?.seat !== seat) return null;
  ticking ||= setInterval(tick, TICK_MS);
  const up = now.up || now.left === 0;
  return h(
    "span",
    { class: `timer${up ? " up" : now.left <= LAST ? " last" : ""}`, key: "timer", role: "img", "aria-label": t(up ? "timer.up" : "timer.runs") },
    svg(
      "svg",
      { viewBox: "0 0 24 24", "aria-hidden": "true" },
      svg("circle", { class: "timer-all", cx: 12, cy: 12, r: 9 }),
      svg("circle", { class: "timer-left", cx: 12, cy: 12, r: 9, pathLength: 100, "stroke-dasharray": "100", "stroke-dashoffset": offset(now, up) }),
    ),
    h("span", { class: "timer-number", "aria-hidden": "true" }, numberOf(now, up)),
  );
}

const offset = ({ part }, up) => String(up ? 0 : Math.round((1 - part) * 1_000) / 10);
const numberOf = ({ left }, up) => (up ? "!" : left <= LAST ? String(Math.ceil(left)) : "");

// Only the rings are drawn anew.
function tick() {
  const now = running();
  const rings = document.querySelectorAll(".timer");
  if (!now || !rings.length) {
    clearInterval(ticking);
    ticking = 0;
    return;
  }
  const up = now.up || now.left === 0;
  for (const one of rings) {
    one.classList.toggle("last", !up && now.left <= LAST);
    one.classList.toggle("up", up);
    one.querySelector(".timer-left").setAttribute("stroke-dashoffset", offset(now, up));
    const number = one.querySelector(".timer-number");
    if (number.textContent !== numberOf(now, up)) number.textContent = numberOf(now, up);
  }
  warn(now, up);
  if (up && !now.up && told !== now.began) tell(now);
}

// Who is on turn hears of the last seconds once; a screen reader does not count along.
function warn({ began, seat, left }, up) {
  if (up || left > LAST || warned === began) return;
  warned = began;
  if (seat !== ownSeat() || state.table.timer.seconds <= LAST) return;
  document.getElementById("live").textContent = t("timer.last");
  play("tap");
}

// The server looks at its own clock, and rules once whoever tells it. A spectator tells nothing.
function tell({ began, seat }) {
  const mine = ownSeat();
  if (mine === null && !isHost()) return;
  told = began;
  const wait = seat === mine ? 0 : Math.random() * APART_MS + APART_MS;
  const table = state.table.id;
  setTimeout(async () => {
    const now = running();
    if (state.table?.id !== table || now?.began !== began || now.up) return;
    const trouble = await attempt("POST", "/timeouts", { began }, mine);
    // Too early by the server's clock, or not heard: the next table that is read says how it stands.
    if (trouble) setTimeout(() => (told = 0), 1_000);
  }, wait);
}

/** Seconds to choose from, and what is done when they are over; `put(timer)` chooses. */
export function timerFields(timer, put, id = "timer") {
  const times = [["", t("timer.off")], ...SECONDS.map((one) => [String(one), `${one} s`])];
  const after = [
    ["say", t("timer.say")],
    ["draw", t("timer.draw")],
  ];
  const then = timer?.then ?? "say";
  return [
    selectField(t("timer.title"), times, String(timer?.seconds ?? ""), (seconds) => put(seconds ? { seconds: Number(seconds), then } : null), id),
    timer ? selectField(t("timer.then"), after, then, (chosen) => put({ seconds: timer.seconds, then: chosen }), `${id}-then`) : null,
  ];
}

/** The host's choice at a table. */
export function timerSetting() {
  if (!state.table || !isHost()) return null;
  const { timer } = state.table;
  const put = async (chosen) => notify(await attempt("PUT", "/timer", { timer: chosen }));
  return timerFields(timer && { seconds: timer.seconds, then: timer.then }, put, "table-timer");
}
