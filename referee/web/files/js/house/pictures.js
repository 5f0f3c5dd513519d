// A small picture for each house rule and for each ready-made set of them, put together from cards and signs.

import { cardBack, cardFace, parts, plain, COLORS } from "../cards.js";
import { h, icon } from "../dom.js";

// Cards by their symbols, "back" for one face down, "draw-two" or another that makes somebody draw where the deck
// has none, and a sign or a few letters over them. What tables quarrel about most comes first.
const PICTURES = {
  stacking: { cards: ["draw-two", "draw-two"], sum: true },
  draw_until: { cards: ["back", "back", "3"], sign: "check" },
  jump_in: { cards: ["5", "5"], alike: true, sign: "jump" },
  seven_zero: { cards: ["7", "0"], sign: "turn" },
  wild_draw_four: { cards: ["wild-draw-four"], sign: "check" },
  forced_play: { cards: ["4"], sign: "up" },
  identical_cards: { cards: ["6", "6", "6"], alike: true },
  hand_size: { cards: ["back", "back", "back"], value: true },
  uno_penalty: { cards: ["back"], word: "UNO" },
  rounds: { icon: "clockwise", value: true },
  scoring: { icon: "chart" },
  target: { icon: "cup" },
  teams: { icon: "people" },
  two_player_reverse: { cards: ["reverse"] },
  wild_tower_points: { cards: ["wild-take-tower"] },
  shuffle_hands: { cards: ["wild-shuffle"] },
  tower_claim: { cards: ["take-two-towers"] },
  custom_cards: { cards: ["wild-custom-1"] },
  official: { cards: ["1", "reverse", "8"], sign: "book" },
  home: { cards: ["draw-two", "draw-two"], sign: "house" },
  party: { cards: ["7", "wild-draw-four", "0"], sign: "star" },
  own: { cards: ["back", "9"], sign: "pencil" },
};

/** The rules in the order in which they are offered. */
export const ORDER = Object.keys(PICTURES);

/** The picture of a rule or of a set; `faces` are the deck's cards, `value` stands on it where it is a number. */
export function picture(name, { faces = [], value = null } = {}) {
  const { cards = [], alike = false, sign = null, word = null, ...drawn } = PICTURES[name] ?? { cards: ["back"], sign: "ask" };
  const shown = cards.map((symbol, at) => (symbol === "back" ? "back" : faceOf(symbol, alike ? 1 : at, faces)));
  const summed = drawn.sum ? plain(parts(shown[0]).symbol).replace(/\d+/, (count) => 2 * count) : null;
  const letters = summed ?? word ?? (drawn.value && value !== null ? String(value) : null);
  return h(
    "span",
    { class: `rule-picture of-${shown.length}`, "aria-hidden": "true" },
    drawn.icon ? icon(drawn.icon) : shown.map((card) => (card === "back" ? cardBack() : cardFace(card, { label: "", small: true }))),
    sign || letters ? h("span", { class: "rule-sign" }, letters ?? icon(sign)) : null,
  );
}

function faceOf(wanted, at, faces) {
  const color = COLORS[at % COLORS.length];
  const card = wanted.startsWith("wild") ? wanted : `${color}-${wanted}`;
  if (wanted !== "draw-two" || faces.includes(card)) return card;
  return faces.find((face) => [color, null].includes(parts(face).color) && plain(parts(face).symbol).startsWith("+")) ?? card;
}
