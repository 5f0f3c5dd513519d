// Card faces, drawn: a colour is also a shape and a letter, so that nobody has to see the colour.

import { svg } from "./dom.js";
import { COLORS, drawn, numerals, plain } from "./symbols.js";
import { t, word } from "./texts.js";

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
  return svg(
    "svg",
    { viewBox: "0 0 20 20", class: `mark fill-${color}`, "aria-hidden": "true" },
    shape(color),
    svg("text", { x: 10, y: color === "red" ? 15.6 : 13.9, class: "mark-letter" }, t(`mark.${color}`)),
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
    numerals(text, { x: 50, y: 75, height }) ?? svg("text", { x: 50, y: 92, class: `card-symbol${text.length > 1 ? " long" : ""}` }, text),
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
        ? (numerals(said, { x: 50, y: 111, height: 42 }) ?? svg("text", { x: 50, y: 124, class: `card-symbol ${said.length > 2 ? "word" : "wildtext"}` }, said))
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
