// A fan of cards, to look at.

import { cardFace } from "../cards.js";
import { h } from "../dom.js";

/** Cards held as in a hand; silent, for the words beside it say what it is. */
export function fan(cards) {
  return h(
    "div",
    { class: "held-fan", "aria-hidden": "true" },
    cards.map((card) => h("div", { class: "fan-card", key: card }, cardFace(card, { label: "" }))),
  );
}
