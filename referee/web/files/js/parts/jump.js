// Jumping in: the very card on top, out of turn, in one tap. Nobody knows who holds it, so every seat whose turn it is
// not has the button, above those that have their places, so that none of them moves.

import { cardFace } from "../cards.js";
import { h } from "../dom.js";
import { move } from "../session.js";
import { state } from "../state.js";
import { t, word } from "../texts.js";

export const JUMP = "house.jump-in";

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
