// Finding the dealer: everybody draws a card, the highest number deals, ties draw again.

import { cardFace } from "../cards.js";
import { h } from "../dom.js";
import * as outbox from "../outbox.js";
import { isHost, ownSeat } from "../session.js";
import { seated, state } from "../state.js";
import { t } from "../texts.js";
import { closeDialog, openDialog } from "./dialog.js";
import { cardPicker } from "./picker.js";

/** Who has drawn what so far, and the next draw, as long as nobody deals yet. */
export function dealer() {
  const { seats, ruleset, round, deal_draws: draws } = state.table;
  if (round) return null;
  const name = (seat) => seats[seat - 1].name;
  const due = toDraw();
  return h(
    "section",
    { class: "stack", key: "dealer" },
    draws.dealer ? h("p", { class: "ask" }, t("deal.found", { seat: name(draws.dealer) })) : null,
    draws.tied.length && !draws.dealer ? h("p", {}, t("deal.tied", { seats: draws.tied.map(name).join(", ") })) : null,
    draws.drawn.length
      ? h("ul", { class: "draws" }, draws.drawn.map(({ seat, card }) => h("li", { key: seat }, h("span", {}, name(seat)), cardFace(card, { ruleset, small: true }))))
      : null,
    !draws.dealer && due.length ? h("button", { "data-do": "draw-for-deal", onclick: () => openDraw(due[0]) }, t("deal.draw", { seat: name(due[0]) })) : null,
  );
}

/** The seats whose card this phone may say: one's own, and for a host everybody's. */
function toDraw() {
  const { deal_draws: draws } = state.table;
  const drawn = draws.drawn.map((one) => one.seat);
  const all = draws.tied.length ? draws.tied : seated(state.table).map((one) => one.seat);
  return all.filter((seat) => !drawn.includes(seat) && (isHost() || seat === ownSeat()));
}

function openDraw(seat) {
  const { ruleset, seats } = state.table;
  const pick = (card) => {
    closeDialog();
    const body = { draws: [{ seat, card }] };
    outbox.send({ method: "POST", path: "/deal-draws", body, seat, label: "deal-draw" });
  };
  const picker = cardPicker({ ruleset, pick });
  openDialog(t("deal.draw", { seat: seats[seat - 1].name }), () => picker());
}
