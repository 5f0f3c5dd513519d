// Choosing a deck by its picture: how many cards it has, and those that tell it from the others.

import { cardFace, parts } from "../cards.js";
import { h } from "../dom.js";
import { t } from "../texts.js";

const SHOWN = 3;

/** The decks to choose from; `chosen` is an id. */
export function deckChoice(decks, chosen, choose) {
  return h(
    "div",
    { class: "decks" },
    decks.map((deck) => {
      const count = t("play.cards", { count: deck.cards });
      return h(
        "label",
        { class: "deck", key: deck.id },
        h("input", { type: "radio", name: "deck", value: deck.id, checked: deck.id === chosen, onchange: () => choose(deck.id) }),
        h("span", { class: "fan" }, telling(deck, decks).map((card) => cardFace(card, { ruleset: deck.id, label: "", small: true }))),
        h("span", { class: "deck-said" }, h("strong", { class: "deck-count" }, count), h("span", {}, short(deck.name, count))),
      );
    }),
  );
}

// The number stands above it already.
const short = (name, count) => (name.endsWith(`, ${count}`) ? name.slice(0, -count.length - 2) : name);

/** The cards of a deck that the fewest other decks have, each with another picture. */
function telling(deck, decks) {
  const sets = decks.map(({ faces }) => new Set(faces.map(pictureOf)));
  const found = new Map();
  for (const card of deck.faces) {
    const picture = pictureOf(card);
    const { color, icon } = parts(card);
    const common = sets.filter((set) => set.has(picture)).length;
    // Wilds have the most to show; of the others a 7 is as good as any.
    const rank = common * 4 + (color ? 2 : 0) + (color && !icon && !picture.includes("-") ? 1 : 0);
    if (!found.has(picture)) found.set(picture, { card, rank });
  }
  const best = [...found.values()].sort((a, b) => a.rank - b.rank);
  return spread(best).map(({ card }) => card);
}

// Not three wilds of a kind: the second and the third have something of their own.
function spread(ranked) {
  const kinds = new Set();
  const kind = ({ card }) => parts(card).symbol.replace(/-?[^-]*$/, "") + (parts(card).color ?? "");
  const chosen = ranked.filter((one) => !kinds.has(kind(one)) && kinds.add(kind(one)));
  return chosen.slice(0, SHOWN);
}

function pictureOf(card) {
  const { symbol, icon } = parts(card);
  return icon ? `icon-${icon}` : symbol;
}
