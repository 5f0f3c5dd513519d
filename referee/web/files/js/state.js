// What the page knows just now, in one place; whoever changes it has the screen drawn again.

import { t } from "./texts.js";

export const state = {
  /** Between phone and server: "live", "connecting", "lost", or "over" (the place is gone). */
  link: "live",
  /** The table as the API serves it, null before it is known. */
  table: null,
  /** The seat that a host has chosen to speak for; null goes by who is awaited. */
  acting: null,
  /** What the seat that is spoken for may do: the answer of `/choices`, and the version it was read with. */
  choices: null,
  /** What happened, oldest first: entries of the table's log. */
  entries: [],
  /** Taps that the server has not acknowledged yet. */
  waiting: [],
  /** A sentence for the reader, such as why something was refused. */
  notice: null,
};

/** The seats that are at the table, clockwise; who has left keeps a number only. */
export const seated = ({ seats, order }) => (order ? order.map((seat) => seats[seat - 1]) : seats);

/** Whether a round is being played, or hands of it are still to be shown. */
export const inRound = ({ state: now }) => now.turn !== null || now.awaiting.length > 0;

/** The towers or powers that a seat holds, those that nobody holds for 0. */
export const heldBy = (seat) => Object.entries(state.table.state.powers).flatMap(([name, holder]) => (holder === seat ? [name] : []));

/** Which round it is, and of how many where their number is settled. */
export const roundOf = (table) => {
  const { round, rounds_counted: counted, options } = table;
  const of = options.rounds;
  return of ? t("play.round-of", { number: Math.min(counted + (inRound(table) ? 1 : 0), of), count: of }) : t("play.round", { number: round });
};

/**
 * What a tap is meant for, as text that changes when the game goes on: `own` is what concerns a seat's move, `pile` the
 * discard pile alone. `version` changes with every entry.
 */
export const MEANT = {
  all: ({ round, state: { turn, top, color, hands, awaiting, powers, scores } }) =>
    JSON.stringify([round, turn, top, color, hands, awaiting, powers, scores]),
  own: ({ round, state: { turn, top, color, stack, hands, awaiting, powers } }, seat) =>
    JSON.stringify([round, turn, top, color, stack, hands[seat - 1], awaiting.filter((one) => one.seat === seat), powers]),
  version: ({ version }) => String(version),
  pile: ({ round, state: { top, discard_pile: count } }) => JSON.stringify([round, top, count]),
};

const watchers = new Set();
let due = false;

/** Change something, and have everything drawn again soon. */
export function change(patch) {
  Object.assign(state, patch);
  if (state.notice && isPast(state.notice)) state.notice = null;
  redraw();
}

// Which round was the last to begin or be counted.
const lastRound = ({ game, round }) => `${game} ${round}`;

// A notice goes with the round that it was given in, and with the second turn since.
function isPast(notice) {
  const { table } = state;
  if (!table) return false;
  const round = lastRound(table) + inRound(table);
  const { turn } = table.state;
  notice.round ??= round;
  notice.turns ??= [turn];
  if (notice.turns.at(-1) !== turn) notice.turns.push(turn);
  return notice.round !== round || notice.turns.length > 2;
}

/** A test whether another round, or game, has begun since it was made. */
export function anotherBegan() {
  const before = lastRound(state.table);
  return () => state.table !== null && lastRound(state.table) !== before;
}

/** Have everything drawn again soon, once, however often this is called. */
export function redraw() {
  if (due) return;
  due = true;
  queueMicrotask(() => {
    due = false;
    for (const watcher of watchers) watcher(state);
  });
}

/** Be told whenever something has changed. */
export function watch(watcher) {
  watchers.add(watcher);
}

/** Say something to the reader until it is put away, or at a table until the game has gone on. */
export function notify(text, kind = "warn") {
  change({ notice: text ? { text, kind } : null });
}

/** Whether an entry is a catch that somebody else was quicker with: it concerns the one who was late alone. */
export const isLate = ({ move, ruling }) => move?.move === "catch" && ruling?.verdict === "illegal" && Boolean(ruling.args?.by);
