// What a round's points are made of: the cards that were left, hand by hand.

import { cardFace } from "../cards.js";
import { h } from "../dom.js";
import { t, writtenOn } from "../texts.js";

/** What seats began with, and the rounds of a sheet, the last one first and open. */
export function tally({ ruleset, seats, scores, rounds }) {
  const told = rounds.filter(({ hands }) => hands.length).reverse();
  const began = seats.map((name, at) => [name, scores[at] - rounds.reduce((sum, { points }) => sum + (points[at] ?? 0), 0)]).filter(([, points]) => points);
  if (!told.length && !began.length) return null;
  return h(
    "section",
    { class: "stack tally", key: "tally" },
    h("h3", {}, t("scores.hands")),
    began.length ? h("p", { key: "began" }, `${t("seats.points")}: ${began.map(([name, points]) => `${name} ${points}`).join(", ")}`) : null,
    told.map((round, at) =>
      h("details", { class: "house", key: round.round, open: at === 0 }, h("summary", {}, title(round, seats)), h("ul", {}, round.hands.map((hand) => line(hand, seats, ruleset)))),
    ),
  );
}

// Who went out, and what that brought; where all collect their own, that stands beside each hand.
function title({ round, winner, points }, seats) {
  const number = t("play.round", { number: round });
  if (!winner) return number;
  const brought = points[winner - 1];
  return `${number} · ${seats[winner - 1]} ${brought ? `+${brought}` : t("scores.out")}`;
}

// What counts for nobody, as a partner's hand, is crossed out; of a hand that nobody knows there are no points.
const line = ({ seat, cards, card_points: each, points, to }, seats, ruleset) =>
  h(
    "li",
    { key: seat, class: to === null ? "for-nobody" : "" },
    h("span", { class: "tally-name" }, seats[seat - 1]),
    h("strong", {}, cards === null && !points ? "?" : to === null ? h("s", {}, String(points)) : String(points)),
    cards?.length
      ? h(
          "span",
          { class: "hand" },
          cards.map((card, at) => h("span", { class: "tally-card" }, cardFace(card, { ruleset, small: true, text: writtenOn(card) }), h("small", {}, String(each[at])))),
        )
      : null,
  );
