// A card that was laid ahead of the tapping: it waits in line on this phone, and is played as soon as the
// server says that its turn has come and that it fits.

import { cardFace } from "../cards.js";
import { h } from "../dom.js";
import { read, write } from "../kept.js";
import { actingSeat, move, ownSeat } from "../session.js";
import { inRound, redraw, state, watch } from "../state.js";
import { t, word } from "../texts.js";
import { isJump } from "./jump.js";

const all = () => read("ahead", []);
const placeOf = ({ id, game, round }) => `${id} ${game} ${round}`;
const here = () => (state.table ? all().filter((one) => one.at === placeOf(state.table)) : []);

function keep(list) {
  write("ahead", list.length ? list : null);
  redraw();
}

const others = (seat) => all().filter((one) => one.at === placeOf(state.table) && one.seat !== seat);

/** The card that a seat has laid ahead: `{seat, card, color, uno, gone}`; null if none. */
export const aheadOf = (seat) => here().find((one) => one.seat === seat) ?? null;

/** Put a card in line; one that the seat had there before is not meant any more. */
export function layAhead(seat, card, color) {
  const { turn, direction } = state.table.state;
  keep([...others(seat), { at: placeOf(state.table), seat, card, color, uno: false, gone: false, seen: { turn, direction } }]);
}

/** Take a seat's card out of the line. */
export const takeOut = (seat) => keep(others(seat));

/** Say UNO with the card in line. */
export const unoAhead = (seat) => keep([...others(seat), { ...aheadOf(seat), uno: true }]);

function send({ seat, card, color, uno }) {
  takeOut(seat);
  move({ seat, move: "play", card, ...(color ? { color } : {}), ...(uno ? { uno } : {}) }, "play");
}

/** Whether a seat may play a card now, as far as the newest choices say. */
function fits({ seat, card }) {
  const { choices, table } = state;
  if (choices?.seat !== seat || choices.version !== table.version) return false;
  // A card that waits for its turn does not jump in.
  return choices.choices.some((one) => !isJump(one) && one.moves.some((wanted) => wanted.move === "play" && wanted.card === card));
}

// Whenever something has happened: what may be played now is, and whose turn has gone by is told.
function serve() {
  if (!state.table?.round) return;
  const waiting = here();
  if (!waiting.length) {
    if (all().length && state.link === "live") write("ahead", null);
    return;
  }
  const next = waiting.find((one) => !one.gone && fits(one));
  if (next && !state.waiting.length) return send(next);
  const { turn, direction } = state.table.state;
  const seen = waiting.map((one) =>
    one.seen.turn === turn && one.seen.direction === direction ? one : { ...one, gone: one.gone || goneBy(one), seen: { turn, direction } },
  );
  if (seen.some((one, at) => one !== waiting[at])) keep(seen);
}

// The turn was the seat's and is another's, or it went past the seat. A correction turns things back.
function goneBy({ seat, seen }) {
  const { turn, direction } = state.table.state;
  if (turn === null || turn === seat || state.entries.at(-1)?.kind === "corrected") return false;
  if (seen.turn === seat) return true;
  return seen.direction === direction && steps(turn, seat) > steps(seen.turn, seat);
}

function steps(from, to) {
  const { order, seats, state: now } = state.table;
  const circle = order ?? seats.map((one) => one.seat);
  const way = circle.indexOf(to) - circle.indexOf(from);
  const on = now.direction === "clockwise" ? way : -way;
  return (on + circle.length) % circle.length;
}

watch(serve);

/** What waits in line on this phone, for whichever seat, with the way to take it back. */
export const aheadPanels = () => (inRound(state.table) ? here().map(panel) : []);

function panel(one) {
  const { seat } = one;
  const { ruleset, seats, state: now } = state.table;
  const card = word(ruleset, "cards", one.card) + (one.color ? `, ${word(ruleset, "colors", one.color)}` : "");
  // While it is being sent, or the choices are being read, nothing is wrong yet.
  const known = state.choices?.seat === seat && state.choices.version === state.table.version;
  const unfit = now.turn === seat && known && !fits(one);
  const late = one.gone || unfit;
  // While the phone speaks for somebody else, nobody knows whether the card fits: whoever holds it says so.
  const due = now.turn === seat && seat !== actingSeat();
  const mine = seat === ownSeat();
  return h(
    "div",
    { class: `ahead${late ? " late" : ""}`, key: `ahead-${seat}`, role: "status" },
    cardFace(one.card, { ruleset, label: "", small: true }),
    h(
      "div",
      { class: "ahead-said" },
      h("p", {}, h("strong", {}, t(mine ? "ahead.mine" : "ahead.laid", { seat: seats[seat - 1].name, card })), one.uno ? " UNO!" : ""),
      due && !late ? null : h("p", { class: "small" }, one.gone ? t("ahead.gone") : unfit ? t("ahead.unfit") : t(mine ? "ahead.waits-mine" : "ahead.waits", { seat: seats[seat - 1].name })),
    ),
    h(
      "div",
      { class: "row" },
      late || due ? h("button", { key: "send", "data-do": "send-ahead", onclick: () => send(one) }, t("ahead.send")) : null,
      h("button", { key: "out", "data-do": "take-out", onclick: () => takeOut(seat) }, t("ahead.out")),
    ),
  );
}
