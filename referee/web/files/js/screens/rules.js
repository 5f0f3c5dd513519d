// The rule book: what may be done now, and every rule of the deck, each with its source.

import { get } from "../api.js";
import { cardFace } from "../cards.js";
import { h, icon } from "../dom.js";
import { merged } from "../parts/choices.js";
import { selectField } from "../parts/dialog.js";
import { houseRules } from "../parts/house.js";
import { look, ruleItem, rulebook } from "../parts/rulings.js";
import { redraw, state } from "../state.js";
import { learnDeck, t, word } from "../texts.js";

/** The rules of the table's deck. */
export const rules = {
  path: "/t/:table/rules",
  needsTable: true,
  reminds: true,
  title: () => t("rules.title"),
  back: ({ table }) => `/t/${table}`,
  tab: { icon: "book", label: "nav.rules" },
  enter: () => look(),
  render: () => h("div", { class: "two-columns" }, h("div", { class: "stack" }, own(), now()), rulebook(state.table.ruleset)),
};

// What this table plays differently, and a way to play it elsewhere.
function own() {
  const { ruleset, house_code: code } = state.table;
  const share = async () => (await import("../house/choice.js")).openShare(code, ruleset);
  return h("section", { class: "stack" }, houseRules(state.table), h("button", { class: "quiet", "data-do": "share-house", onclick: share }, icon("share"), t("house.share")));
}

// What may I do now? In so many lines, the most pressing first and unfolded, each with its rule behind it.
const LINES = 5;

function now() {
  const { choices } = state;
  if (!choices || !state.table.round) return null;
  const { ruleset } = state.table;
  const lines = merged(choices.choices).slice(0, LINES);
  const line = ({ kind, text, rule, moves }, at) => {
    const how = kind === "play" ? fitting(moves, ruleset) : h("p", {}, text);
    return ruleItem(rule, { key: kind, may: kind === "jump" ? t("act.jump") : word(ruleset, "moves", kind), how, open: at === 0 });
  };
  return h(
    "section",
    { class: "stack" },
    h("h2", {}, t("rules.now")),
    lines.length ? h("div", { class: "rules" }, lines.map(line)) : h("p", {}, choices.waiting || t("play.nothing")),
  );
}

// All cards that fit, whichever rules they go by, as they look: in words they would be a long list.
function fitting(moves, ruleset) {
  const cards = [...new Set(moves.map(({ card }) => card))];
  return h("ul", { class: "fitting" }, cards.map((card) => h("li", { key: card }, cardFace(card, { ruleset, small: true }))));
}

let decks = [];
let chosen = null;

/** The rules of any deck, for whoever is at no table. */
export const rulebooks = {
  path: "/rules",
  title: () => t("rules.title"),
  back: () => "/",
  async enter() {
    look();
    decks = (await get("/rulesets").catch(() => ({ items: [] }))).items;
    await choose(chosen ?? decks[0]?.id);
  },
  render: () =>
    chosen
      ? h(
          "div",
          { class: "stack" },
          selectField(t("setup.deck"), decks.map(({ id, name }) => [id, name]), chosen, choose, "deck"),
          rulebook(chosen),
        )
      : h("p", { class: "muted" }, t("link.lost")),
};

async function choose(deck) {
  if (!deck) return;
  await learnDeck(deck).catch(() => {});
  chosen = deck;
  look({ card: null, power: null });
  redraw();
}
