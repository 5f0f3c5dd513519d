// Card faces, drawn: a colour is also a shape and a letter, so that nobody has to see the colour.

import { svg } from "./dom.js";
import { COLORS, drawn, plain, quarters } from "./symbols.js";
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

/** A card's face. `label` is what a screen reader says; without one the picture is silent. */
export function cardFace(card, { ruleset, label, small = false } = {}) {
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
    svg("rect", { x: 1, y: 1, width: 98, height: 148, rx: 12, class: "card-edge" }),
    svg("rect", { x: 6, y: 6, width: 88, height: 138, rx: 8, class: "card-line" }),
    color ? corner(color, false) : null,
    color ? corner(color, true) : null,
    color ? centre(symbol) : wild(symbol),
    icon ? badge(icon) : null,
  );
}

function corner(color, turned) {
  return svg(
    "g",
    { transform: turned ? "rotate(180 50 75)" : null },
    svg("g", { transform: "translate(11 11)", class: "card-ink" }, shape(color)),
    svg("text", { x: 36, y: 28, class: "card-letter" }, t(`mark.${color}`)),
  );
}

function centre(symbol) {
  const picture = drawn(symbol);
  if (picture) return svg("g", { class: "card-ink card-stroke", transform: "translate(20 45)" }, picture);
  const text = plain(symbol);
  return svg(
    "g",
    {},
    svg("text", { x: 50, y: 97, class: `card-symbol${text.length > 1 ? " long" : ""}` }, text),
    ["6", "9"].includes(text) ? svg("rect", { x: 34, y: 104, width: 32, height: 5, class: "card-ink" }) : null,
  );
}

function wild(symbol) {
  const inner = drawn(symbol);
  const text = plain(symbol);
  return svg(
    "g",
    {},
    quarters(),
    inner
      ? svg("g", { class: "card-ink card-stroke", transform: "translate(20 77)" }, inner)
      : svg("text", { x: 50, y: 124, class: `card-symbol ${text.length > 2 ? "word" : "wildtext"}` }, text),
  );
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
