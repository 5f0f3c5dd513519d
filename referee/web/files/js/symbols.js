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

function tower(x) {
  return svg("path", { d: TOWER, class: "stroke", transform: `translate(${x} 0)` });
}

/** The four colours of a wild card, each with its shape. */
export function quarters() {
  const tiles = [
    ["red", 22, 18],
    ["yellow", 52, 18],
    ["green", 22, 48],
    ["blue", 52, 48],
  ];
  return tiles.map(([color, x, y]) =>
    svg("rect", { x, y, width: 26, height: 26, rx: 5, class: `paint-${color}` }),
  );
}
