// The page's own texts in the reader's language, and what a deck calls its cards.

import { read, write } from "./kept.js";

const BASE = "/api/v1";
// Sections of screens that few phones show; they are read when such a screen is gone to.
const LATER = "camera,board,trust";
let lang = "en";
let later = false;
let texts = { sections: {}, plurals: ["one", "other"] };
let rules = new Intl.PluralRules("en");
const decks = new Map();

// What was read is put where the service worker finds it when there is no network.
async function words(path) {
  const url = `${BASE}${path}`;
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  if ("caches" in globalThis) {
    const copy = answer.clone();
    caches.open("words").then((kept) => kept.put(url, copy)).catch(() => {});
  }
  return answer.json();
}

/** The language that the page speaks. */
export const language = () => lang;

/** How dates and times are written: as in the reader's country, where its language is the one that is read. */
export const locale = () => navigator.languages.find((one) => one.split("-")[0] === language()) ?? language();

/** The languages that there are, as `[{id, name}]`. */
export async function languages() {
  return (await words("/languages?lang=en")).items;
}

/** Which language to begin with: the one chosen last, else the browser's, if it is there. */
export function firstLanguage(available) {
  const same = { nb: "no", nn: "no" };
  const asked = new URLSearchParams(location.search).get("lang") ?? "";
  for (const tag of [asked, read("language", ""), ...navigator.languages]) {
    const short = tag.split("-")[0].toLowerCase();
    const found = [short, same[short]].find((one) => available.includes(one));
    if (found) return found;
  }
  return "en";
}

/** Speak another language from now on. */
export async function speak(wanted, remember = true) {
  const first = await words(`/languages/${wanted}/page?lang=${wanted}&without=${LATER}`);
  const more = later ? await words(laterPath(wanted)) : { sections: {} };
  texts = { ...first, sections: { ...first.sections, ...more.sections } };
  lang = wanted;
  rules = new Intl.PluralRules(lang === "no" ? "nb" : lang);
  document.documentElement.lang = lang;
  if (remember) write("language", lang);
}

/** A name, a colon as the language sets it, and what it names. */
export const labelled = (name, text) => `${name}${lang === "fr" ? "\u00a0" : ""}: ${text}`;

const laterPath = (wanted) => `/languages/${wanted}/page?lang=${wanted}&sections=${LATER}`;

/** Have the texts of the screens that are loaded later at hand, in each language from now on. */
export async function readLater() {
  if (later) return;
  const { sections } = await words(laterPath(lang));
  Object.assign(texts.sections, sections);
  later = true;
}

/** A text by its id, `section.name`, with its placeholders filled in. */
export function t(id, words = {}) {
  const dot = id.indexOf(".");
  const text = texts.sections[id.slice(0, dot)]?.[id.slice(dot + 1)] ?? id;
  return text.replace(/\{(\w+)(?::([^{}]*))?\}/g, (_, name, forms) => {
    const value = words[name] ?? "";
    if (forms === undefined) return value;
    const at = texts.plurals.indexOf(rules.select(Number(value)));
    const all = forms.split("|");
    return all[at < 0 ? all.length - 1 : Math.min(at, all.length - 1)];
  });
}

/** The first sentences of a text. */
export function sentences(text, count) {
  return text.split(/(?<=[.!?])\s+(?=\p{Lu}|["“„«¿¡])/u).slice(0, count).join(" ");
}

/** Have the words of a deck at hand in the language that is spoken. */
export async function learnDeck(ruleset) {
  const key = `${ruleset} ${lang}`;
  if (!decks.has(key)) {
    decks.set(key, await words(`/rulesets/${ruleset}/words?lang=${lang}`));
  }
}

/** What a deck is called. */
export const deckName = (ruleset) => decks.get(`${ruleset} ${lang}`)?.name ?? ruleset;

/** What a deck calls something: `word("power-grab", "cards", "red-7")`; a card of the table's own also by its text. */
export function word(ruleset, kind, id) {
  const name = decks.get(`${ruleset} ${lang}`)?.[kind]?.[id] ?? id;
  const text = kind === "cards" ? writtenOn(id) : null;
  return text ? labelled(name, text) : name;
}

const BLANK = /^wild-custom-(\d+)$/;
// What the table one is at has written on its blank cards, in their order; null at no table.
let written = null;

/** Know what a table has written on its blank cards; null for no table. */
export function learnOwn(texts) {
  written = texts;
}

/** What is written on a card; null for all that are not the table's own. */
export const writtenOn = (card) => written?.[card.match(BLANK)?.[1] - 1] ?? null;

/** Whether a card is a blank one on which the table has written nothing: it is not in the game. */
export const isBlank = (card) => Boolean(written && BLANK.test(card) && !writtenOn(card));

/** The ids of a kind that a deck has words for. */
export function idsOf(ruleset, kind) {
  return Object.keys(decks.get(`${ruleset} ${lang}`)?.[kind] ?? {});
}
