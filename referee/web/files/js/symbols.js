// What stands in the middle of a card, in a box of 60 by 60; decks share it where names agree.

import { svg } from "./dom.js";

export const COLORS = ["red", "yellow", "green", "blue"];

const TOWER = "M6 54V22H2V8H9V14H15V8H21V14H27V8H34V22H30V54Z";
const PATHS = {
  skip: ["M30 6a24 24 0 1 0 0 48a24 24 0 1 0 0-48M14 46 46 14"],
  reverse: ["M14 34V22a10 10 0 0 1 10-10H40M32 3 41 12 32 21", "M46 26V38a10 10 0 0 1-10 10H20M28 57 19 48 28 39"],
  "wild-shuffle": ["M4 16H16L42 44H54M46 36 55 44 46 52", "M4 44H16L24 35M34 25 42 16H54M46 8 55 16 46 24"],
  "wild-tales": ["M30 14C24 8 14 7 4 9V49C14 47 24 48 30 54C36 48 46 47 56 49V9C46 7 36 8 30 14V54"],
};
const SHIELD = "M30 4 52 12V30C52 44 42 52 30 57C18 52 8 44 8 30V12Z";
const TEXTS = { "draw-one": "+1", "draw-two": "+2", "wild-draw-four": "+4", wild: "" };
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

/** A symbol as a short text: a number, "+2", or of a card nobody has drawn its first letters. */
export function plain(symbol) {
  if (symbol in TEXTS) return TEXTS[symbol];
  if (/^\d+$/.test(symbol)) return symbol;
  return symbol.replace(/^wild-/, "").split("-").map((part) => part[0].toUpperCase()).join("");
}

/** A number or "+2" in strokes, `height` high and centred on `x`, `y`; null for any other text. */
export function numerals(text, { x, y, height }) {
  if (!text || ![...text].every((one) => one in STROKES)) return null;
  const scale = height / 80;
  const step = 56;
  const left = x - ((text.length * step + 4) * scale) / 2;
  const strokes = (layer) =>
    [...text].map((one, at) => svg("path", { d: STROKES[one], class: layer, transform: `translate(${at * step} 0)` }));
  return svg("g", { transform: `translate(${left} ${y - height / 2}) scale(${scale})`, class: "numeral" }, svg("g", { transform: "translate(4 5)" }, strokes("shadow")), strokes("front"));
}

function tower(x) {
  return svg("path", { d: TOWER, class: "stroke", transform: `translate(${x} 0)` });
}
