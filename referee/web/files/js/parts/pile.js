// The middle of the table: the card on top, whose turn it is, colour and direction, what is owed.

import { cardFace, colorMark } from "../cards.js";
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { letters } from "../letters.js";
import { ownSeat } from "../session.js";
import { seated, state } from "../state.js";
import { t, word, writtenOn } from "../texts.js";
import { stackLine } from "./stack.js";

const LAYS = ["play", "flip"];

/** The pile of a round that is being played. */
export function pile() {
  const { table, choices } = state;
  const { ruleset, state: now } = table;
  // Whoever is on turn may have to wait, as for the hand that a challenge shows.
  const own = now.turn !== null && now.turn === ownSeat();
  const yours = own && now.awaiting.some(({ seat }) => seat === now.turn);
  const named = (seat) => ({ seat: table.seats[seat - 1].name });
  const turn = own ? "" : now.turn ? t("play.turn", named(now.turn)) : now.round_winner ? t("play.round-won", named(now.round_winner)) : "";
  const said = yours ? t("play.your-turn") : turn;
  return h(
    "section",
    { class: `pile fill-${now.color ?? "wild"}${yours ? " yours" : ""}`, "aria-label": t("play.pile") },
    h("p", { class: `turn ${letters(said)}`, key: `turn-${now.turn}` }, said),
    h("div", { class: "pile-card" }, laid()),
    h(
      "div",
      { class: "pile-side" },
      h(
        "p",
        { class: "line color-line", key: `color-${now.color}` },
        now.color
          ? [colorMark(now.color), h("span", {}, word(ruleset, "colors", now.color))]
          : h("span", {}, t("play.no-color")),
      ),
      h("p", { class: "line direction", key: now.direction }, icon(now.direction), h("span", {}, word(ruleset, "directions", now.direction))),
      h("p", { class: "line quiet-line" }, t("play.draw-pile", { count: now.draw_pile })),
    ),
    stackLine(),
    choices?.waiting ? h("p", { class: "waiting" }, choices.waiting) : null,
  );
}

/** The card on top, flown in from whoever laid it, on the one that it covers. */
export function laid() {
  const { ruleset, state: now } = state.table;
  if (!now.top) return null;
  const opened = state.entries.findLastIndex(({ kind }) => kind === "round-opened");
  const lays = state.entries.slice(opened + 1).filter((one) => LAYS.includes(one.move?.move) && one.ruling?.verdict === "legal" && !one.undone);
  const last = lays.at(-1);
  const same = last?.move.card === now.top;
  const below = (same ? lays.at(-2) : last)?.move.card;
  return [
    below ? h("div", { class: "card-below", key: "below" }, cardFace(below, { ruleset, label: "" })) : null,
    h("div", { class: `card-laid from-${same ? sideOf(last.move.seat) : "pile"}`, key: `top-${same ? last.id : now.top}` }, cardFace(now.top, { ruleset, text: writtenOn(now.top) })),
  ];
}

// Where at the table, seen from this phone, somebody sits.
function sideOf(seat) {
  const order = seated(state.table).map((one) => one.seat);
  const mine = order.indexOf(ownSeat() ?? order[0]);
  const step = (order.indexOf(seat) - mine + order.length) % order.length;
  if (step === 0) return "me";
  const share = step / order.length;
  return share < 0.4 ? "left" : share > 0.6 ? "right" : "across";
}
