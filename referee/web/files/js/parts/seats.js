// Everybody at the table: how many cards, whose turn, who has called UNO, who holds what.

import { cardBack } from "../cards.js";
import { h } from "../dom.js";
import { letters } from "../letters.js";
import { ownSeat } from "../session.js";
import { state } from "../state.js";
import { t } from "../texts.js";
import { powerButton } from "./powers.js";
import { everybody, markOf, teamOf, teamTotals } from "./teams.js";
import { ring } from "./timer.js";

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
      everybody(table).map((seat) => seatItem(seat, held)),
    ),
    teamTotals(table),
    tray.length
      ? h("p", { class: "tray" }, h("span", { class: "muted" }, t("play.tray")), tray.map(([name]) => powerButton(name)))
      : null,
  );
}

function seatItem({ seat, name, out }, held) {
  const team = teamOf(state.table, seat);
  const now = state.table.state;
  const count = now.hands[seat - 1];
  const due = now.awaiting.some((one) => one.seat === seat);
  return h(
    "li",
    { key: seat, class: `seat${now.turn === seat ? " on-turn" : ""}${due ? " due" : ""}${out ? " out" : ""}${team < 0 ? "" : ` side of-team-${team}`}`, "aria-current": now.turn === seat ? "true" : null },
    h("span", { class: `seat-name ${letters(name)}` }, markOf(state.table, seat), name, ownSeat() === seat ? h("span", { class: "you" }, t("play.you")) : null),
    ring(seat),
    out ? h("span", { class: "tag" }, t("teams.out")) : h(
      "span",
      { class: `count${count === 1 ? " one" : ""}` },
      cardBack(),
      h("span", { "aria-hidden": "true", class: "count-now", key: count }, String(count)),
      h("span", { class: "heard" }, t("play.cards", { count })),
    ),
    h(
      "span",
      { class: "seat-more" },
      now.uno.includes(seat) ? h("strong", { class: "badge-uno" }, "UNO") : null,
      now.open_hands.includes(seat) ? h("span", { class: "tag" }, t("play.open-hand")) : null,
      held.filter(([, holder]) => holder === seat).map(([name]) => powerButton(name)),
    ),
  );
}
