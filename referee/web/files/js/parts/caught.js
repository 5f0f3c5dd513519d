// Who caught whom: calls for UNO that were forgotten, challenges won and lost.

import { h } from "../dom.js";
import { t } from "../texts.js";

const KINDS = [
  ["uno", "uno.catch", true],
  ["right", "challenge", true],
  ["wrong", "challenge", false],
];

/** Lists of pairs, each with how often; nothing where nobody was caught. */
export function caught({ seats, caught: all }) {
  const lists = KINDS.map(([name, rule, right]) => [name, all.filter((one) => one.rule === rule && one.right === right)]);
  return h(
    "div",
    { class: "caught" },
    lists.map(([name, found]) => (found.length ? h("section", { key: name }, h("h3", {}, t(`scores.${name}`)), pairs(found, seats)) : null)),
  );
}

function pairs(found, seats) {
  const often = new Map();
  for (const { by, of } of found) {
    const pair = `${seats[by - 1]} → ${seats[of - 1]}`;
    often.set(pair, (often.get(pair) ?? 0) + 1);
  }
  const sorted = [...often].sort((a, b) => b[1] - a[1]);
  return h("ul", {}, sorted.map(([pair, count]) => h("li", { key: pair }, h("span", {}, pair), h("strong", {}, String(count)))));
}
