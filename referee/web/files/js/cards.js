// Cards as they are drawn: symbols, faces, names as large as they fit, a fan.

import { h, svg } from "./dom.js";
import { t, word } from "./texts.js";

// What stands in the middle of a card, in a box of 60 by 60; decks share it where names agree.

export const COLORS = ["red", "yellow", "green", "blue"];

const TOWER = "M6 54V22H2V8H9V14H15V8H21V14H27V8H34V22H30V54Z";
const PATHS = {
  skip: ["M30 6a24 24 0 1 0 0 48a24 24 0 1 0 0-48M14 46 46 14"],
  reverse: ["M14 34V22a10 10 0 0 1 10-10H40M32 3 41 12 32 21", "M46 26V38a10 10 0 0 1-10 10H20M28 57 19 48 28 39"],
  "wild-shuffle": ["M4 16H16L42 44H54M46 36 55 44 46 52", "M4 44H16L24 35M34 25 42 16H54M46 8 55 16 46 24"],
  "wild-tales": ["M30 14C24 8 14 7 4 9V49C14 47 24 48 30 54C36 48 46 47 56 49V9C46 7 36 8 30 14V54"],
};
const SHIELD = "M30 4 52 12V30C52 44 42 52 30 57C18 52 8 44 8 30V12Z";
const COUNTS = "zero one two three four five six seven eight nine ten".split(" ");
// Numerals and the plus sign as strokes, in a box of 60 by 80: alike on every phone.
const STROKES = {
  0: "M30 8C15 8 10 23 10 40S15 72 30 72 50 57 50 40 45 8 30 8Z",
  1: "M17 21 33 8V72",
  2: "M11 25C12 14 20 8 30 8 42 8 49 16 49 27 49 42 32 50 11 72H51",
  3: "M12 10H46L29 33C42 33 51 41 51 52 51 64 41 72 30 72 20 72 13 67 10 59",
  4: "M38 72V8L8 52H53",
  5: "M47 8H18L15 35C20 32 26 31 31 31 43 31 51 39 51 51 51 63 42 72 29 72 20 72 14 68 10 61",
  6: "M45 11C24 5 10 25 10 48 10 63 18 72 30 72 42 72 50 63 50 52 50 40 42 32 31 32 21 32 13 38 10 47",
  7: "M10 8H51C38 27 30 47 27 72",
  8: "M30 38C20 38 13 32 13 23S20 8 30 8 47 14 47 23 40 38 30 38C18 38 10 45 10 55S18 72 30 72 50 65 50 55 42 38 30 38Z",
  9: "M15 69C36 75 50 55 50 32 50 17 42 8 30 8 18 8 10 17 10 28 10 40 18 48 29 48 39 48 47 42 50 33",
  "+": "M30 24V64M10 44H50",
};

/** A symbol as a picture; null where it is rather a text. */
export function drawn(symbol) {
  if (PATHS[symbol]) return PATHS[symbol].map((d) => svg("path", { d, class: "stroke" }));
  if (symbol === "take-two-towers") return [tower(-4), tower(28)];
  if (symbol === "wild-take-tower") return tower(12);
  if (symbol.startsWith("wild-power-")) {
    return svg("path", { d: SHIELD, class: `stroke shield-${symbol.slice(11)}` });
  }
  if (symbol === "wild-choose-power") {
    return [svg("path", { d: SHIELD, class: "stroke" }), svg("text", { x: 30, y: 41, class: "card-in" }, "?")];
  }
  if (symbol.startsWith("wild-custom-")) {
    return [
      svg("path", { d: "M10 50 14 38 42 10 52 20 24 48Z", class: "stroke" }),
      svg("text", { x: 46, y: 56, class: "card-in" }, symbol.slice(12)),
    ];
  }
  return null;
}

/** A symbol as a short text: a number, "+2", or the words of a card that nobody has drawn. */
export function plain(symbol) {
  const words = symbol.replace(/^wild-?/, "").split("-");
  const count = COUNTS.indexOf(words[1]);
  return words[0] === "draw" && count > 0 ? `+${count}` : words.join(" ");
}

/** A text centred on `x`, `y`: a number or "+2" in strokes, `height` high, or words, one below the other. */
export function lettered(text, { x, y, height }) {
  if (![...text].every((one) => one in STROKES)) return inLines(text.split(" "), { x, y, width: 1.8 * height });
  const scale = height / 80;
  const step = 56;
  const left = x - ((text.length * step + 4) * scale) / 2;
  const strokes = (layer) =>
    [...text].map((one, at) => svg("path", { d: STROKES[one], class: layer, transform: `translate(${at * step} 0)` }));
  return svg("g", { transform: `translate(${left} ${y - height / 2}) scale(${scale})`, class: "numeral" }, svg("g", { transform: "translate(4 5)" }, strokes("shadow")), strokes("front"));
}

function inLines(lines, { x, y, width }) {
  const longest = Math.max(...lines.map((line) => line.length));
  return svg(
    "g",
    { transform: `translate(${x} ${y}) scale(${Math.min(2, 4 / lines.length, width / (7.5 * longest))})` },
    lines.map((line, at) => svg("text", { y: 4 + 13 * (at - (lines.length - 1) / 2), class: "card-own" }, line)),
  );
}

function tower(x) {
  return svg("path", { d: TOWER, class: "stroke", transform: `translate(${x} 0)` });
}

// Card faces, drawn: a colour is also a shape and a letter, so that nobody has to see the colour.

/** What a card id says: `{color, symbol, icon}`; a wild's colour is null. */
export function parts(card) {
  const [face, icon = null] = card.split(":");
  const dash = face.indexOf("-");
  const color = COLORS.includes(face.slice(0, dash)) ? face.slice(0, dash) : null;
  return { color, symbol: color ? face.slice(dash + 1) : face, icon };
}

/** The mark of a colour: its shape, in a box of 20 by 20. */
export function shape(color, props = {}) {
  switch (color) {
    case "red":
      return svg("path", { d: "M10 1.5 19 18H1Z", ...props });
    case "yellow":
      return svg("circle", { cx: 10, cy: 10, r: 8.5, ...props });
    case "green":
      return svg("path", { d: "M10 .5 19.5 10 10 19.5.5 10Z", ...props });
    default:
      return svg("rect", { x: 1.5, y: 1.5, width: 17, height: 17, rx: 2, ...props });
  }
}

/** A colour as a round mark with shape and letter, for buttons and lines of text. */
export function colorMark(color) {
  const letter = t(`mark.${color}`);
  return svg(
    "svg",
    { viewBox: "0 0 20 20", class: `mark fill-${color}`, "aria-hidden": "true" },
    shape(color),
    svg("text", { x: 10, y: color === "red" ? 15.6 : 13.9, class: letter.length > 1 ? "mark-letter two" : "mark-letter" }, letter),
  );
}

/**
 * A card's face. `label` is what a screen reader says; without one the picture is silent. `text` is
 * what people have written on a card of their own.
 */
export function cardFace(card, { ruleset, label, small = false, text = null } = {}) {
  const { color, symbol, icon } = parts(card);
  const said = label === undefined ? word(ruleset, "cards", card) : label;
  const props = {
    viewBox: "0 0 100 150",
    class: `card ${color ? `fill-${color}` : "fill-wild"}${small ? " small" : ""}`,
    ...(said ? { role: "img", "aria-label": said } : { "aria-hidden": "true" }),
  };
  return svg(
    "svg",
    props,
    svg("rect", { x: 1, y: 1, width: 98, height: 148, rx: 13, class: "card-edge" }),
    svg("rect", { x: 6, y: 6, width: 88, height: 138, rx: 9, class: "card-line" }),
    color ? [stone(color), corner(color, false), corner(color, true), centre(symbol)] : wild(symbol, text),
    icon ? badge(icon) : null,
  );
}

// The colour's shape, as large as the card, behind what stands on it.
function stone(color) {
  const lift = color === "red" ? -3.5 : 0;
  return svg("g", { transform: `rotate(-8 50 75) translate(4 ${29 + lift}) scale(4.6)`, class: "card-stone" }, shape(color));
}

function corner(color, turned) {
  return svg(
    "g",
    { transform: turned ? "rotate(180 50 75)" : null },
    svg("g", { transform: "translate(12 12) scale(.9)", class: "card-ink" }, shape(color)),
    svg("text", { x: 35, y: 27, class: "card-letter" }, t(`mark.${color}`)),
  );
}

function centre(symbol) {
  const picture = drawn(symbol);
  if (picture) return svg("g", { class: "card-ink card-stroke", transform: "translate(20 45)" }, picture);
  const text = plain(symbol);
  const height = text.length > 1 ? 46 : 62;
  return svg(
    "g",
    {},
    lettered(text, { x: 50, y: 75, height }),
    ["6", "9"].includes(text) ? svg("rect", { x: 33, y: 112, width: 34, height: 6, rx: 3, class: "card-ink" }) : null,
  );
}

// A wild has all four colours; what else it does stands below them.
function wild(symbol, text) {
  const inner = drawn(symbol);
  const said = plain(symbol);
  const alone = !inner && !said;
  const lines = text ? wrapped(text) : [];
  const below = lines.length
    ? lines.map((line, at) => svg("text", { x: 50, y: 92 + at * 13, class: "card-own" }, line))
    : inner
      ? svg("g", { class: "card-ink card-stroke", transform: "translate(24 85) scale(.87)" }, inner)
      : said
        ? lettered(said, { x: 50, y: 111, height: 42 })
        : null;
  return svg("g", {}, svg("g", { transform: alone ? "translate(-10 21) scale(1.2)" : null }, quarters()), below);
}

/** The four colours of a wild card, each with its shape. */
function quarters() {
  const places = { red: [20, 13], yellow: [53, 14], green: [18, 45], blue: [53, 47] };
  return svg(
    "g",
    { class: "card-quarters", transform: "rotate(-8 50 45)" },
    COLORS.map((color) => svg("g", { transform: `translate(${places[color].join(" ")}) scale(${color === "green" ? 1.55 : 1.4})` }, shape(color, { class: `paint-${color}` }))),
  );
}

// What fits on a card: four lines of twelve letters; the whole text stands beside it.
const LINE = 13;
const LINES = 4;

function wrapped(text) {
  const lines = [""];
  for (const one of text.trim().split(/\s+/)) {
    const longer = lines.at(-1) ? `${lines.at(-1)} ${one}` : one;
    if (longer.length <= LINE || !lines.at(-1)) lines[lines.length - 1] = longer;
    else lines.push(one);
  }
  const shown = lines.slice(0, LINES).map((line) => (line.length > LINE ? `${line.slice(0, LINE - 1)}…` : line));
  if (lines.length > LINES) shown[LINES - 1] = `${shown[LINES - 1].slice(0, LINE - 1)}…`;
  return shown;
}

function badge(icon) {
  return svg(
    "g",
    { transform: "translate(50 128)" },
    svg("circle", { r: 13, class: "badge" }),
    svg("text", { y: 6.5, class: "badge-letter" }, icon),
  );
}

/** The back of a card, for counts. */
export function cardBack() {
  return svg(
    "svg",
    { viewBox: "0 0 20 28", class: "back", "aria-hidden": "true" },
    svg("rect", { x: 1, y: 1, width: 18, height: 26, rx: 3, class: "back-edge" }),
    svg("rect", { x: 5, y: 5, width: 10, height: 18, rx: 1.5, class: "back-line" }),
  );
}

// How large a name can be written: by its longest word, which is not broken (css/base.css).

const STEPS = [6, 8, 10, 12, 14, 16, 18, 22, 28, 40];

const atLeast = (length, steps) => `letters-${steps.find((step) => length <= step) ?? steps.at(-1)}`;

/** The class of a text whose letters are to be as large as its longest word lets them. */
export const letters = (text) => atLeast(Math.max(...text.split(/[\s-]/u).map((word) => word.length)), STEPS);

/** The same for a text that is to stand in one line, unless that would make it too small to be read. */
export const lineOf = (text) => atLeast(text.length, STEPS.filter((step) => step <= 22));

// A fan of cards, to look at.

/** Cards held as in a hand; silent, for the words beside it say what it is. */
export function fan(cards) {
  return h(
    "div",
    { class: "held-fan", "aria-hidden": "true" },
    cards.map((card) => h("div", { class: "fan-card", key: card }, cardFace(card, { label: "" }))),
  );
}
