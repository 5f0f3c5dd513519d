// The middle of the table: the card on top, whose turn it is, colour and direction, what is owed.

import { cardFace, colorMark } from "../cards.js";
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { ownSeat } from "../session.js";
import { state } from "../state.js";
import { t, word } from "../texts.js";

/** The pile of a round that is being played. */
export function pile() {
  const { table, choices } = state;
  const { ruleset, state: now } = table;
  const yours = now.turn !== null && now.turn === ownSeat();
  const named = (seat) => ({ seat: table.seats[seat - 1].name });
  const turn = now.turn ? t("play.turn", named(now.turn)) : now.round_winner ? t("play.round-won", named(now.round_winner)) : "";
  return h(
    "section",
    { class: `pile${yours ? " yours" : ""}`, "aria-label": t("play.pile") },
    h("div", { class: "pile-card" }, now.top ? cardFace(now.top, { ruleset }) : null),
    h(
      "div",
      { class: "pile-side" },
      h("p", { class: "turn" }, yours ? t("play.your-turn") : turn),
      h(
        "p",
        { class: "line" },
        now.color
          ? [colorMark(now.color), h("span", {}, word(ruleset, "colors", now.color))]
          : h("span", { class: "muted" }, t("play.no-color")),
      ),
      h("p", { class: "line" }, icon(now.direction), h("span", {}, word(ruleset, "directions", now.direction))),
      h("p", { class: "muted line" }, t("play.draw-pile", { count: now.draw_pile })),
    ),
    choices?.waiting ? h("p", { class: "waiting" }, choices.waiting) : null,
  );
}
