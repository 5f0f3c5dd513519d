// Everybody at the table: how many cards, whose turn, who has called UNO, who holds what.

import { cardBack } from "../cards.js";
import { h } from "../dom.js";
import { ownSeat } from "../session.js";
import { seated, state } from "../state.js";
import { t, word } from "../texts.js";
import { powerMark } from "./powers.js";

/** The seats in their order, and the tray if there is something in it. */
export function seats() {
  const { table } = state;
  const held = Object.entries(table.state.powers);
  const tray = held.filter(([, seat]) => seat === 0);
  return h(
    "section",
    { class: "seats", "aria-label": t("play.seats") },
    h(
      "ul",
      {},
      seated(table).map((seat) => seatItem(seat, held)),
    ),
    tray.length
      ? h("p", { class: "tray" }, h("span", { class: "muted" }, t("play.tray")), tray.map(([name]) => power(name)))
      : null,
  );
}

function seatItem({ seat, name }, held) {
  const now = state.table.state;
  const count = now.hands[seat - 1];
  const due = now.awaiting.some((one) => one.seat === seat);
  return h(
    "li",
    { key: seat, class: `seat${now.turn === seat ? " on-turn" : ""}${due ? " due" : ""}`, "aria-current": now.turn === seat ? "true" : null },
    h("span", { class: "seat-name" }, name, ownSeat() === seat ? h("span", { class: "you" }, t("play.you")) : null),
    h(
      "span",
      { class: `count${count === 1 ? " one" : ""}` },
      cardBack(),
      h("span", { "aria-hidden": "true" }, String(count)),
      h("span", { class: "heard" }, t("play.cards", { count })),
    ),
    h(
      "span",
      { class: "seat-more" },
      now.uno.includes(seat) ? h("strong", { class: "badge-uno" }, "UNO") : null,
      now.open_hands.includes(seat) ? h("span", { class: "tag" }, t("play.open-hand")) : null,
      held.filter(([, holder]) => holder === seat).map(([power_]) => power(power_)),
    ),
  );
}

function power(name) {
  const said = word(state.table.ruleset, "powers", name);
  return h("span", { class: "power", key: name }, powerMark(name), h("span", { class: "heard" }, said));
}
