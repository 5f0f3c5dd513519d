// Moves that do not wait for one's own tap: laid ahead, jumped in, drawn one after the other.

import { cardFace } from "../cards.js";
import { h } from "../dom.js";
import { read, write } from "../kept.js";
import { actingSeat, move, ownSeat } from "../session.js";
import { inRound, redraw, state, watch } from "../state.js";
import { t, word } from "../texts.js";
import { openForTurn } from "./dialog.js";

// Jumping in: the very card on top, out of turn, in one tap. Nobody knows who holds it, so every seat whose turn it is
// not has the button, above those that have their places, so that none of them moves.

const JUMP = "house.jump-in";

/** Whether a choice is to lay a card out of turn. */
export const isJump = ({ rule }) => rule?.id === JUMP;

/** The button; of two who tap it the first one counts, and the other is told by name. */
export function jumpButton({ moves: [wanted] }) {
  const { ruleset } = state.table;
  return h(
    "button",
    { class: "jump", key: "jump", "data-do": "jump", onclick: () => move(wanted, "jump") },
    cardFace(wanted.card, { ruleset, label: "", small: true }),
    h("span", {}, h("strong", {}, t("act.jump")), h("span", { class: "small" }, word(ruleset, "cards", wanted.card))),
  );
}

// A card that was laid ahead of the tapping: it waits in line on this phone, and is played as soon as the
// server says that its turn has come and that it fits.

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
const takeOut = (seat) => keep(others(seat));

/** Say UNO with the card in line. */
export const unoAhead = (seat) => keep([...others(seat), { ...aheadOf(seat), uno: true }]);

// It is meant for whatever lies on top when its turn comes, however soon that is.
function send({ seat, card, color, uno }) {
  takeOut(seat);
  move({ seat, move: "play", card, ...(color ? { color } : {}), ...(uno ? { uno } : {}) }, "play", state.table);
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

// How many cards somebody has drawn, where one goes on until a card fits: one tap on the number.

// So many have a button of their own; more are counted on from there.
const AT_HAND = 12;

/** Ask how many, and draw. `most` are there. */
export function openDrawn({ seat, most }) {
  let count = AT_HAND + 1;
  const go = (to) => () => ((count = to), redraw());
  openForTurn(seat, t("act.drawn"), (close) => {
    const draw = (drawn) => () => (close(), move({ seat, move: "draw", count: drawn }, "draw"));
    const few = Array.from({ length: Math.min(AT_HAND, most) }, (_, at) => at + 1);
    return [
      h("p", { class: "muted" }, t("act.drawn-hint")),
      h("div", { class: "numbers" }, few.map((one) => h("button", { key: one, class: one === 1 ? "main" : "", "data-do": `draw-${one}`, "aria-label": t("play.cards", { count: one }), onclick: draw(one) }, String(one)))),
      most > AT_HAND
        ? h(
            "div",
            { class: "numbers-more" },
            h("button", { disabled: count <= AT_HAND + 1, "aria-label": t("act.drawn-less"), "data-do": "drawn-less", onclick: go(count - 1) }, "−"),
            h("button", { "data-do": "draw-more", "aria-label": t("play.cards", { count }), onclick: draw(count) }, String(count)),
            h("button", { disabled: count >= most, "aria-label": t("act.drawn-more"), "data-do": "drawn-more", onclick: go(count + 1) }, "+"),
          )
        : null,
    ];
  });
}
