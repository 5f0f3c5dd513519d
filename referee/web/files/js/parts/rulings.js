// What happened last, and the rule book that it leads to.

import { get, Problem } from "../api.js";
import { cardFace } from "../cards.js";
import { h, icon } from "../dom.js";
import { read, write } from "../kept.js";
import { isHost, ownSeat, playsFor } from "../session.js";
import { isLate, notify, redraw, state } from "../state.js";
import { idsOf, labelled, language, sentences, t, word } from "../texts.js";
import { askFirst, canMend, hasCard, mendButtons, openOtherCard, ownLast } from "./corrections.js";
import { openDialog } from "./dialog.js";
import { cardPicker, powerMark } from "./picker.js";

// What happened last, the newest on top; of a ruling the rule and its source ("why?").

const SHOWN = 6;
const LOGGED = 12;
// "Why?" is answered in so many sentences.
const ANSWER = 2;

/** The log in a fold, which stays as somebody left it; where there is room it is open at first. */
export function log() {
  const open = read("log", matchMedia("(min-width: 60rem)").matches);
  const onclick = ({ currentTarget: { parentElement } }) => write("log", !parentElement.open);
  return h("details", { class: "house log", key: "log", open }, h("summary", { onclick }, t("play.rulings")), rulings(LOGGED, "play.why", { titled: false }));
}

/**
 * What happened last that the table should know; `say` stands where an entry can be set right. `whole` lines hold all
 * that is said, and all that can be done about it is behind them; of what a camera saw, which nobody can set right,
 * only the newest stands among them.
 */
export function rulings(count = SHOWN, say = "play.why", { titled = true, whole = false } = {}) {
  const told = listed(whole).slice(-count).reverse();
  return h(
    "section",
    { class: whole ? "rulings whole" : "rulings", "aria-label": t("play.rulings") },
    titled ? h("h2", {}, t("play.rulings")) : null,
    h("ol", { reversed: true }, told.map((entry) => item(entry, say, whole))),
    told.length ? null : h("p", { class: "muted" }, t("play.no-rulings")),
  );
}

/** The entries that a list of rulings has at most, `whole` or not. */
export const listed = (whole) =>
  state.entries.filter(isTold).filter(({ kind }, place, all) => !whole || kind !== "observed" || place === all.length - 1);

// A call of UNO that counts for nothing, and changes nothing.
const isIdle = ({ move, ruling, announcements }) => move?.move === "uno" && ruling?.verdict === "legal" && !announcements?.length;

/** Whether there is something to read in an entry. */
export const isTold = (entry) =>
  !isLate(entry) && !isIdle(entry) && Boolean(entry.ruling || entry.announcements?.length || entry.kind === "round-opened");

/** Whether an entry is an illegal move that stands; a correction may have entered one, too. */
export const isIllegal = (entry) =>
  entry.ruling?.verdict === "illegal" && entry.kind !== "corrected" && !entry.undone;

/** Whether a correction ruled otherwise on an entry than when it was made: what it meant to people holds no longer. */
export const isOutdated = ({ first, ruling }) => first !== undefined && first !== ruling.verdict;

/** The words of an entry: what happened, and if it was illegal why, with what those that this phone plays for put right. */
export function wordsOf(entry) {
  const { ruling } = entry;
  if (isLate(entry)) return [];
  if (ruling?.verdict === "illegal" && entry.kind !== "corrected") return [whatFor(entry) + ruling.text, entry.move && playsFor(entry.move.seat) ? ruling.put_right : null].filter(Boolean);
  if (entry.announcements?.length) return entry.announcements;
  // That a move is in order says nothing about whose it is.
  const name = nameOf(entry);
  return ruling ? [name ? labelled(name, ruling.text) : ruling.text] : [];
}

// Why a hand does not count may name its cards, which only some may read: what was done with it is said to everybody.
function whatFor({ move, ruling }) {
  const hidden = ["reveal", "give"].includes(move?.move) && !ruling.args;
  return hidden ? `${word(state.table.ruleset, "moves", move.move)}. ` : "";
}

/** The words of an entry that stands alone: of an illegal move, whose it was as well. */
export function wordsAlone(entry) {
  const [first, ...rest] = wordsOf(entry);
  const name = isIllegal(entry) ? nameOf(entry) : null;
  return name ? [labelled(name, first), ...rest] : wordsOf(entry);
}

/** The class of an entry in a list. */
export const classOf = (entry) => (entry.undone ? "undone" : isIllegal(entry) ? "illegal" : "");

/** That a move was illegal, and whose it was. */
export const verdict = (entry) => h("strong", { class: "verdict" }, icon("warn"), verdictOf(entry));

const nameOf = ({ move }) => state.table.seats[move?.seat - 1]?.name;

function verdictOf(entry) {
  const name = nameOf(entry);
  return name ? t("play.illegal-by", { seat: name }) : t("play.illegal");
}

// The whole line opens what there is to say about it, so that as much of it is read as fits.
function item(entry, say, whole) {
  const words = (whole ? wordsOf(entry) : briefly(entry)).join(" ");
  const mends = canMend(entry);
  const why = entry.ruling ? () => openWhy(entry) : mends ? () => openMend(entry) : null;
  const tag = entry.undone ? h("small", { class: "tag" }, t("play.undone")) : null;
  const said = [
    whole ? null : tag,
    isIllegal(entry) ? icon("warn") : null,
    h("span", { class: "one-line" }, whole && tag ? [tag, " "] : null, isIllegal(entry) ? by(entry) : null, entry.undone ? h("s", {}, words) : words),
  ];
  return h(
    "li",
    { key: entry.id, class: classOf(entry) },
    why ? h("button", { class: "quiet why said", "aria-label": labelOf(entry, entry.ruling && !mends ? "play.why" : entry.ruling ? say : "host.set-right"), onclick: why }, said, icon(whole ? "pencil" : "ask")) : h("p", { class: "said" }, said),
    hasCard(entry) && !whole
      ? h("button", { class: "quiet square", "data-do": "mend-card", "aria-label": labelled(t("mend.card"), wordsOf(entry)[0] ?? ""), onclick: () => openOtherCard(entry) }, icon("pencil"))
      : null,
  );
}

// In one line whose turn it is, which the table shows, gives way to what happened.
function briefly(entry) {
  const words = wordsOf(entry);
  return words.length > 1 && entry.events?.at(-1)?.event === "turn-came" ? words.slice(0, -1) : words;
}

// Whose move it was; that it was not allowed says the picture, and the button's name.
function by(entry) {
  const name = nameOf(entry);
  return name ? h("strong", {}, `${name}: `) : null;
}

function labelOf(entry, say) {
  const text = [isIllegal(entry) ? `${verdictOf(entry)}.` : "", wordsOf(entry)[0] ?? ""].filter(Boolean).join(" ");
  return say === "play.why" ? t("play.why-of", { text }) : labelled(t(say), text);
}

// All of it, for whoever wants to look it up: the whole rule, where it stands.
function details(entry, rule, ruling, table) {
  return h(
    "details",
    { class: "house", key: "details" },
    h("summary", {}, t("play.details")),
    rule ? [h("h3", {}, rule.title), h("p", {}, rule.text)] : null,
    h("p", { class: "small muted" }, rule ? placeOf(rule) : ruling.rule),
    h("p", { class: "small muted" }, table),
  );
}

// Where a table plays a rule of its own, the sheet's stands beside it, so that nobody need quarrel.
const ownRule = ({ title, official }) =>
  h("div", { class: "own-rule", key: "own-rule" }, h("strong", {}, t("house.own-rule", { title })), h("p", {}, t("house.sheet", { official })));

// An entry as it stands now: it may have been undone since it was looked at.
const asItIs = (entry) => state.entries.find(({ id }) => id === entry.id) ?? entry;

/** What the host can set right about an entry without a ruling. */
function openMend(entry) {
  openDialog(t("host.set-right"), () => [
    wordsOf(entry).map((text) => h("p", { class: "said" }, text)),
    canMend(asItIs(entry)) ? mendButtons(entry) : h("p", { class: "muted" }, t("play.undone")),
  ]);
}

/** The rule behind a ruling, and where it stands, and the rules of what came of it; for the host also how to set it right. */
export function openWhy(entry) {
  const { ruling } = entry;
  const { id, ruleset } = state.table;
  const rules = new Map([ruling, ...(entry.events ?? [])].filter(({ rule }) => rule).map(({ rule }) => [rule, null]));
  let trouble = null;
  for (const name of rules.keys())
    get(`/rulesets/${ruleset}/rules/${encodeURIComponent(name)}`).then(
      (found) => (rules.set(name, found), redraw()),
      (error) => ((trouble = error.status === 404 ? trouble : t("link.lost")), redraw()),
    );
  const takeBack = () => askFirst({ kind: "undo" }, { seat: ownSeat() });
  openDialog(t("play.why"), () => {
    const [rule] = rules.values();
    return [
      // In the log it may be cut off.
      h("p", { key: "told" }, wordsOf(entry).join(" ")),
      [...rules.values()].map((one) => one && [h("h3", {}, one.title), h("p", { class: "said" }, sentences(one.text, ANSWER))]),
      trouble ? h("p", { class: "warn" }, trouble) : null,
      rule?.official ? ownRule(rule) : null,
      rule ? h("p", { class: "source" }, t("play.source", { source: rule.sheet })) : null,
      !isHost() && ownLast()?.id === entry.id
        ? h("button", { onclick: takeBack, "data-do": "take-back" }, icon("undo"), t("host.take-back"))
        : null,
      canMend(asItIs(entry)) ? mendButtons(entry) : null,
      details(entry, rule, ruling, id),
    ];
  });
}

// The rule book of a deck: searched by words in any language, by a card, by a tower or power.

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

// Whether a table plays a house rule. The time that turns have is the only one that is no option.
function plays({ timer, options }, { option, option_value: value }) {
  const chosen = option ? options[option] : timer;
  return value ? chosen === value : (chosen ?? null) !== null;
}

// Of a rule that a table can agree on, and that does not hold here without that: what the title alone would hide.
function unplayed(rule) {
  const { table } = state;
  return rule.official && !(table && plays(table, rule)) ? t(table ? "rules.not-here" : "rules.house") : null;
}

/** A rule as it is read: its title, what it says, whose it is; `may` is what it allows now, and `how`. */
export function ruleItem(rule, { key = rule.id, may = null, how = "", open = false } = {}) {
  const other = unplayed(rule);
  return h(
    "details",
    { class: may ? "rule may" : "rule", key, open },
    h("summary", {}, may ?? rule.title, other ? [" ", h("small", { class: "tag" }, other)] : null),
    may ? [how, h("h3", {}, rule.title)] : null,
    h("p", {}, rule.text),
    h("p", { class: "source" }, other ? t("house.sheet", { official: rule.official }) : t("play.source", { source: rule.sheet })),
    h("details", { class: "house" }, h("summary", {}, t("play.details")), h("p", { class: "small muted" }, placeOf(rule))),
  );
}

/** The search, and what was found in a deck's rules. */
export function rulebook(ruleset) {
  readBook(ruleset);
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

function readBook(ruleset) {
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
