// The rule book of a deck: searched by words in any language, by a card, by a tower or power.

import { get, Problem } from "../api.js";
import { cardFace } from "../cards.js";
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { notify, redraw } from "../state.js";
import { idsOf, language, t, word } from "../texts.js";
import { openDialog } from "./dialog.js";
import { cardPicker } from "./picker.js";
import { powerMark } from "./powers.js";

const PAGE = 20;
const PAUSE_MS = 200;
let wanted = { q: "", card: null, power: null };
let found = { of: null, items: [], next: null };
let asked = null;
let timer = 0;

/** Look for something else, or with nothing for everything. */
export function look(patch = { q: "", card: null, power: null }) {
  wanted = { ...wanted, ...patch };
  redraw();
}

/** Where a rule stands, for the curious: its source, the section of the sheet, its id. */
export const placeOf = (rule) => [rule.source, rule.document, rule.section, rule.id].filter(Boolean).join(" · ");

/** A rule as it is read: its title, what it says, where it stands; `may` is what it allows now, and `how`. */
export function ruleItem(rule, { key = rule.id, may = null, how = "", open = false } = {}) {
  return h(
    "details",
    { class: may ? "rule may" : "rule", key, open },
    h("summary", {}, may ?? rule.title),
    may ? [h("p", {}, how), h("h3", {}, rule.title)] : null,
    h("p", {}, rule.text),
    h("p", { class: "source" }, t("play.source", { source: rule.sheet })),
    h("p", { class: "small muted" }, placeOf(rule)),
  );
}

/** The search, and what was found in a deck's rules. */
export function rulebook(ruleset) {
  read(ruleset);
  const here = found.of === key(ruleset);
  return h(
    "section",
    { class: "stack" },
    search(),
    filters(ruleset),
    h(
      "div",
      { class: "rules", role: "status", "aria-busy": String(!here) },
      found.items.map((rule) => ruleItem(rule, { open: found.items.length === 1 })),
      here && !found.items.length ? h("p", { class: "muted" }, t("rules.nothing")) : null,
    ),
    here && found.next !== null ? h("button", { class: "wide", onclick: () => more(ruleset), "data-do": "more-rules" }, t("rules.more")) : null,
  );
}

function search() {
  const typed = (event) => {
    const q = event.target.value;
    clearTimeout(timer);
    timer = setTimeout(() => look({ q }), PAUSE_MS);
  };
  return h(
    "div",
    { class: "field" },
    h("label", { for: "rule-search" }, t("rules.search")),
    h("input", { id: "rule-search", type: "search", value: wanted.q, oninput: typed, placeholder: t("rules.hint"), maxlength: 200, autocomplete: "off", enterkeyhint: "search" }),
  );
}

function filters(ruleset) {
  const { card, power } = wanted;
  const powers = idsOf(ruleset, "powers");
  return h(
    "div",
    { class: "row filters" },
    card
      ? h(
          "button",
          { "aria-pressed": "true", onclick: () => look({ card: null }), "data-do": "any-card" },
          h("span", { class: "tiny-card" }, cardFace(card, { ruleset, label: "", small: true })),
          word(ruleset, "cards", card),
          icon("close"),
        )
      : h("button", { onclick: () => pickCard(ruleset), "data-do": "by-card" }, t("rules.by-card")),
    powers.map((name) =>
      h(
        "button",
        { key: name, "aria-pressed": String(power === name), "aria-label": word(ruleset, "powers", name), onclick: () => look({ power: power === name ? null : name }), "data-do": `about-${name}` },
        powerMark(name),
      ),
    ),
  );
}

function pickCard(ruleset) {
  let close = () => {};
  const pick = (card) => {
    close();
    look({ card });
  };
  const picker = cardPicker({ ruleset, all: true, pick });
  openDialog(
    () => t("rules.by-card"),
    (closing) => ((close = closing), picker()),
  );
}

const key = (ruleset) => JSON.stringify([ruleset, language(), wanted]);

function queryOf() {
  const { q, card, power } = wanted;
  return { limit: PAGE, ...(q ? { q } : {}), ...(card ? { card } : {}), ...(power ? { power } : {}) };
}

function read(ruleset) {
  const of = key(ruleset);
  if (found.of === of || asked === of) return;
  asked = of;
  get(`/rulesets/${ruleset}/rules`, { query: queryOf() }).then(
    ({ items, next }) => {
      if (asked !== of) return;
      found = { of, items, next };
      asked = null;
      redraw();
    },
    (error) => failed(error, of),
  );
}

async function more(ruleset) {
  const of = key(ruleset);
  try {
    const { items, next } = await get(`/rulesets/${ruleset}/rules`, { query: { ...queryOf(), after: found.next } });
    if (found.of !== of) return;
    found = { of, items: [...found.items, ...items], next };
    redraw();
  } catch (error) {
    failed(error, of);
  }
}

function failed(error, of) {
  notify(error instanceof Problem ? error.message : t("link.lost"));
  // Asked again with the next letter, or in a while.
  if (asked === of) setTimeout(() => ((asked = null), redraw()), 3_000);
}
