// The deck and the house rules that a table plays with, for everybody who is there or comes.

import { h, icon } from "../dom.js";
import { deckName, idsOf, labelled, t, word } from "../texts.js";
import { later } from "./dialog.js";

const pictures = later(() => import("../house/pictures.js"));
// The cards that a table has written have a place of their own.
const ELSEWHERE = new Set(["custom_cards"]);

/** What an option with this value means, in a sentence. */
export function sentenceOf(ruleset, option, value) {
  const said = (id) => {
    const found = word(ruleset, "options", id);
    return found === id ? null : found;
  };
  const name = said(option) ?? option;
  if (option === "teams") return said("teams.text") ?? name;
  return said(`${option}.${value}.text`) ?? labelled(name, said(`${option}.${value}`) ?? value ?? "–");
}

/** The deck of a table, and its rules that no sheet has, each in one sentence. */
export function houseRules({ ruleset, options }) {
  const own = ownRules(options);
  return h(
    "section",
    { class: "house-rules", key: "house", "aria-label": t("setup.house") },
    h("p", { class: "ask", "data-do": "deck" }, icon("cards"), h("span", {}, deckName(ruleset))),
    own.length ? [h("h2", {}, t("setup.house")), ruleList(ruleset, Object.fromEntries(own))] : h("p", { class: "small muted" }, t("house.none")),
  );
}

const ownRules = (options) => Object.entries(options).filter(([name, value]) => value !== null && !ELSEWHERE.has(name));

/** A line with a picture for each option. */
export function ruleList(ruleset, options) {
  const drawn = pictures();
  const faces = idsOf(ruleset, "cards");
  const line = ([name, value]) =>
    h("li", { key: name }, drawn ? drawn.picture(name, { value, faces }) : h("span", { class: "rule-picture" }), h("span", {}, sentenceOf(ruleset, name, value)));
  return h("ul", { class: "rule-list" }, Object.entries(options).map(line));
}
