// Choosing a table's house rules, as cards, as a code, and who plays with whom.

import { h, icon } from "../dom.js";
import { read, write } from "../kept.js";
import { openDialog, textField } from "../parts/dialog.js";
import { sentenceOf } from "../parts/house.js";
import { reachable } from "../parts/invite.js";
import { LETTERS, teamMark } from "../parts/podium.js";
import { notify, redraw } from "../state.js";
import { labelled, t, word } from "../texts.js";
import { ORDER, picture } from "./pictures.js";

// Choosing a table's house rules: a ready-made set in one tap, or each rule by itself. One's own sets stay on
// this phone.

const MOST_KEPT = 12;
const LONGEST_NAME = 30;
const FEWEST_SEATS = 2;
// What has a place of its own.
const ELSEWHERE = new Set(["teams", "custom_cards"]);
// Numbers up to here are counted with two buttons; larger ones are typed.
const COUNTED = 50;
let opened = false;
let name = "";
let code = "";

/** Forget which rules were opened before. */
export function begin() {
  opened = false;
  sides = null;
  name = code = "";
}

/** Options of a deck without those that are as usual. */
export function stated(deck, options) {
  const known = deck.house_rules.filter(({ option }) => options[option] !== undefined && (option === "target" || options[option] !== deck.usual[option]));
  return Object.fromEntries(known.map(({ option }) => [option, options[option]]));
}

const same = (deck, a, b) => deck.house_rules.every(({ option: one }) => (a[one] ?? deck.usual[one]) === (b[one] ?? deck.usual[one]));

/** The choice: `options` are those chosen so far, `put(options)` chooses others, `seats` are known already. */
export function houseChoice({ deck, options, put, seats = 0 }) {
  const kept = read("house", []);
  const ready = deck.presets.map((one) => ({ id: one.preset, name: one.name, text: one.text, options: one.options }));
  const own = kept.map((one, at) => ({ id: `kept-${at}`, name: one.name, text: namesOf(deck, one.options), options: one.options, kept: one }));
  const all = [...ready, ...own];
  const chosen = opened ? null : all.find((one) => same(deck, one.options, options));
  const open = !chosen;
  const choose = (one) => {
    opened = false;
    put(stated(deck, one.options));
  };
  return [
    h(
      "fieldset",
      { class: "presets", key: "presets" },
      h("legend", {}, t("setup.house")),
      all.map((one) => card(deck, one, one === chosen, () => choose(one))),
      card(deck, { id: "own", name: t("house.own"), text: t("house.own-text") }, open, () => ((opened = true), put(options))),
    ),
    open ? panel({ deck, options, put, seats, kept }) : null,
  ];
}

function card(deck, { id, name: title, text, kept }, checked, choose) {
  return h(
    "div",
    { class: "preset-line", key: id },
    h(
      "label",
      { class: "deck preset" },
      h("input", { type: "radio", name: "preset", value: id, checked, onchange: choose }),
      picture(kept ? "own" : id, { faces: deck.faces }),
      h("span", { class: "preset-said" }, h("strong", {}, title), text ? h("span", { class: "small" }, text) : null),
    ),
    kept ? h("button", { type: "button", class: "quiet square", "aria-label": labelled(t("home.forget"), title), "data-do": "forget-set", onclick: () => forget(kept) }, icon("close")) : null,
  );
}

function forget({ name: gone }) {
  write("house", read("house", []).filter((one) => one.name !== gone));
  redraw();
}

const namesOf = (deck, options) => Object.keys(stated(deck, options)).map((one) => word(deck.id, "options", one)).join(" · ");

// Every rule by itself, and what to do with them all.
function panel({ deck, options, put, seats, kept }) {
  const offered = deck.house_rules.filter(({ option }) => !ELSEWHERE.has(option));
  const rules = offered.sort((a, b) => ORDER.indexOf(a.option) - ORDER.indexOf(b.option));
  const set = (option, value) => put(stated(deck, { ...options, [option]: value }));
  return h(
    "section",
    { class: "stack rule-cards", key: "rules", "aria-label": t("house.own") },
    rules.map((rule) => ruleCard({ deck, options, rule, set, seats })),
    keep(deck, options, kept),
    h("button", { type: "button", class: "wide", "data-do": "share-house", onclick: () => openShare(codeOf(deck, options), deck.id) }, icon("share"), t("house.share")),
    take(deck, put),
  );
}

/** What stands against a value: the other option, and its value; null if nothing does. */
function against(deck, options, option, value) {
  const now = (one) => options[one] ?? deck.usual[one];
  for (const { options: [first], when } of deck.refused) {
    const others = Object.entries(when);
    if (!others.length) continue;
    const free = value === null || value === deck.usual[option];
    if (option === first && !free && others.every(([one, wanted]) => now(one) === wanted)) return others[0];
    if (option in when && value === when[option] && now(first) !== deck.usual[first]) return [first, now(first)];
  }
  return null;
}

const why = (deck, [option, value]) => h("span", { class: "small refused" }, t("house.not-with", { rule: sentenceOf(deck.id, option, value) }));

// A rule that says what it does when it is on is a switch; others are one of several ways, or a number.
function ruleCard(what) {
  const { values } = what.rule;
  return (!values.length ? counted : values.some(({ text }) => text) ? switched : chosenFrom)(what);
}

// One of several ways, none of which is "off".
function chosenFrom({ deck, options, rule, set }) {
  const { option, name: title, values } = rule;
  const now = options[option] ?? deck.usual[option];
  const [sheet] = deck.presets;
  const named = (way) => (way.value === deck.usual[option] ? { ...way, name: `${way.name} · ${sheet.name}` } : way);
  return h(
    "div",
    { class: `rule-card${now === deck.usual[option] ? "" : " on"}`, key: option },
    h("div", { class: "rule-head" }, picture(option, { faces: deck.faces }), h("span", { class: "rule-said" }, h("strong", {}, title))),
    h("div", { class: "ways", role: "group", "aria-label": title }, values.map((way) => wayOf({ deck, options, option, way: named(way), now, set }))),
  );
}

// On or off; where there are several ways to be on, they stand below.
function switched({ deck, options, rule, set }) {
  const { option, name: title, values } = rule;
  const now = options[option] ?? deck.usual[option];
  const [off, ...ways] = values;
  const on = now !== off.value;
  const open = ways.filter(({ value }) => !against(deck, options, option, value));
  const usual = ways.find(({ value }) => value === deck.usual[option]);
  const chosen = values.find(({ value }) => value === now);
  const text = on ? (chosen.text ?? chosen.name) : (ways[0].text ?? off.name);
  const turn = (event) => set(option, event.target.checked ? (usual ?? open[0]).value : off.value);
  return h(
    "div",
    { class: `rule-card${on ? " on" : ""}`, key: option },
    h(
      "label",
      { class: "rule-head" },
      picture(option, { faces: deck.faces }),
      h("span", { class: "rule-said" }, h("strong", {}, title), ways.length > 1 && on ? null : h("span", { class: "small" }, text)),
      h("input", { type: "checkbox", role: "switch", class: "switch", checked: on, disabled: !open.length, "data-do": `rule-${option}`, onchange: turn }),
    ),
    ways.length > 1 && on ? h("div", { class: "ways", role: "group", "aria-label": title }, ways.map((way) => wayOf({ deck, options, option, way, now, set }))) : null,
  );
}

function wayOf({ deck, options, option, way, now, set }) {
  const blocked = against(deck, options, option, way.value);
  return h(
    "label",
    { class: `check${blocked ? " pale" : ""}`, key: String(way.value) },
    h("input", { type: "radio", name: `way-${option}`, checked: way.value === now, disabled: Boolean(blocked), "data-do": `${option}-${way.value}`, onchange: () => set(option, way.value) }),
    h("span", {}, way.name, way.text ? h("span", { class: "small way-text" }, way.text) : null, blocked ? why(deck, blocked) : null),
  );
}

// A number: a few are counted, many are typed.
function counted({ deck, options, rule, set, seats }) {
  const { option, name: title, least, optional } = rule;
  const usual = deck.usual[option];
  const now = options[option] ?? usual;
  const room = Math.floor((deck.cards - 1) / Math.max(FEWEST_SEATS, seats));
  const most = option === "hand_size" ? Math.min(rule.most, room) : rule.most;
  const blocked = against(deck, options, option, now ?? least);
  const go = (value) => set(option, value);
  const id = `option-${option}`;
  const typed = h("input", {
    id,
    type: "number",
    inputmode: "numeric",
    min: least,
    max: most,
    placeholder: String(usual ?? ""),
    value: options[option] ?? "",
    onchange: (event) => go(event.target.value ? Number(event.target.value) : undefined),
  });
  const step = (sign, label, value, disabled) =>
    h("button", { type: "button", class: "square", disabled: disabled || Boolean(blocked), "aria-label": labelled(title, label), "data-do": `${option}-${sign}`, onclick: () => go(value) }, sign === "less" ? "−" : "+");
  const lower = now === least && optional ? null : now - 1;
  return h(
    "div",
    { class: `rule-card${now !== usual ? " on" : ""}${blocked ? " pale" : ""}`, key: option },
    h(
      most > COUNTED ? "label" : "div",
      { class: "rule-head", for: most > COUNTED ? id : null },
      picture(option, { faces: deck.faces, value: most > COUNTED ? null : now }),
      h("span", { class: "rule-said" }, h("strong", {}, title), blocked ? why(deck, blocked) : null),
      most > COUNTED
        ? typed
        : h(
            "span",
            { class: "stepper" },
            step("less", t("setup.fewer"), lower, now === null || (now === least && !optional)),
            h("output", { "aria-label": title }, now === null ? "–" : String(now)),
            step("more", t("setup.more"), now === null ? least : now + 1, now !== null && now >= most),
          ),
    ),
  );
}

function keep(deck, options, kept) {
  const save = () => {
    const others = kept.filter((one) => one.name !== name.trim());
    write("house", [...others, { name: name.trim(), options: stated(deck, options) }].slice(-MOST_KEPT));
    name = "";
    opened = false;
    redraw();
  };
  return h(
    "div",
    { class: "with-button", key: "keep" },
    textField(t("house.keep"), { id: "set-name", value: name, maxlength: LONGEST_NAME, autocomplete: "off", oninput: (event) => ((name = event.target.value), redraw()) }),
    h("button", { type: "button", disabled: !name.trim(), "data-do": "keep-set", onclick: save }, t("host.set")),
  );
}

function take(deck, put) {
  const use = () => {
    const found = optionsOf(deck, code);
    if (!found) return notify(t("house.no-code"));
    code = "";
    put(stated(deck, found));
  };
  return h(
    "div",
    { class: "with-button", key: "take" },
    textField(t("house.code"), { id: "house-in", value: code, maxlength: 80, autocapitalize: "characters", autocomplete: "off", spellcheck: "false", oninput: (event) => ((code = event.target.value), redraw()) }),
    h("button", { type: "button", disabled: !code.trim(), "data-do": "take-code", onclick: use }, t("join.look")),
  );
}

// House rules as a short code, and as a link that opens the setup with them: `S2J1H5` is stacking with any card,
// jumping in, and five cards each. Each rule's letter and values come from the server.

const OFFICIAL = "official";
const PART = /([A-Z])(\d{1,7})/g;

/** The code of options. */
export function codeOf(deck, options) {
  const parts = deck.house_rules
    .filter(({ option, letter }) => letter && options[option] !== undefined && options[option] !== null)
    .map(({ option, letter, values }) => `${letter}${values.length ? values.findIndex(({ value }) => value === options[option]) : options[option]}`);
  return parts.sort().join("") || OFFICIAL;
}

/** The options of a code, or of a ready-made set; null if it is none. What the deck has not is left out. */
export function optionsOf(deck, said) {
  const ready = deck.presets.find(({ preset }) => preset === said.trim().toLowerCase());
  if (ready) return { ...ready.options };
  const code = said.replace(/[\s-]/g, "").toUpperCase();
  if (!/^([A-Z]\d{1,7})+$/.test(code)) return null;
  const found = {};
  for (const [, letter, number] of code.matchAll(PART)) {
    const rule = deck.house_rules.find((one) => one.letter === letter);
    if (!rule) continue;
    const value = rule.values.length ? rule.values[Number(number)]?.value : inRange(rule, Number(number));
    if (value === undefined) return null;
    found[rule.option] = value;
  }
  return found;
}

const inRange = ({ least, most }, number) => (least <= number && number <= most ? number : undefined);

/** Show code and link. */
export function openShare(code, ruleset) {
  const link = `${(reachable() ?? location.origin).replace(/\/$/, "")}/new?${new URLSearchParams({ house: code, deck: ruleset })}`;
  const select = (event) => event.target.select();
  const send = () => navigator.share({ url: link, title: t("setup.house") }).catch(() => {});
  openDialog(t("house.share"), () =>
    h(
      "div",
      { class: "stack" },
      h("p", {}, t("house.share-hint")),
      h("p", { class: "code centred", "data-do": "house-code" }, code),
      textField(t("club.address"), { id: "house-link", readonly: true, value: link, onclick: select }),
      navigator.share ? h("button", { class: "main wide", "data-do": "send-house", onclick: send }, icon("share"), t("house.share")) : null,
    ),
  );
}

// Who plays with whom: everybody by name, with a letter that a tap changes.

export const FEWEST_IN_TEAMS = 4;
// The team of each name, where a tap has changed it; null where everybody plays alone.
let sides = null;

/** Whether teams are wanted. */
export const inTeams = () => sides !== null;

const mayBeTeams = (names) => names.length >= FEWEST_IN_TEAMS && names.length % 2 === 0;
// Opposite each other, as partners sit.
const placeOf = (at) => sides[at] ?? at % 2;

/** The seats of each team, as the names stand; null where everybody plays alone, or these are no teams. */
export function teamsOf(names) {
  if (!sides || !mayBeTeams(names)) return null;
  const places = names.map((_, at) => placeOf(at));
  const teams = Array.from({ length: Math.max(...places) + 1 }, (_, team) => places.flatMap((one, at) => (one === team ? [at + 1] : [])));
  const even = teams.length > 1 && teams[0].length > 1 && teams.every((team) => team.length === teams[0].length);
  return even ? teams : null;
}

// What there is still to do before there are teams.
const lacking = ({ length: count }) => (count > FEWEST_IN_TEAMS && count % 2 ? t("teams.even", { count }) : t("teams.need"));

// The letters around the table where the teams take turns: A B A B.
function apart(names) {
  const teams = teamsOf(names)?.length ?? 2;
  return names.map((_, at) => LETTERS[at % teams]).join(" ");
}

/** The card that makes teams of the names; `people` are their fields, `put(wanted)` is told what is chosen. */
export function teamCard({ ruleset, names, people, put }) {
  const turn = (event) => {
    sides = event.target.checked ? [] : null;
    put(inTeams());
  };
  const next = (at) => {
    sides[at] = (placeOf(at) + 1) % (names.length / 2);
    put(true);
  };
  const wanted = inTeams();
  return h(
    "div",
    { class: `rule-card${wanted ? " on" : ""}`, key: "teams" },
    h(
      "label",
      { class: "rule-head" },
      picture("teams"),
      h("span", { class: "rule-said" }, h("strong", {}, word(ruleset, "options", "teams")), h("span", { class: "small" }, word(ruleset, "options", "teams.text")), teamsOf(names) ? null : h("span", { class: "small muted" }, lacking(names))),
      h("input", { type: "checkbox", role: "switch", class: "switch", checked: wanted, "data-do": "rule-teams", onchange: turn }),
    ),
    wanted
      ? h(
          "div",
          { class: "ways" },
          people,
          mayBeTeams(names)
            ? [
                h("p", { class: "small", id: "team-hint" }, t("teams.hint")),
                h(
                  "div",
                  { class: "row", role: "group", "aria-labelledby": "team-hint" },
                  names.map((name, at) => h("button", { type: "button", key: at, "data-do": `team-${at + 1}`, onclick: () => next(at) }, teamMark(placeOf(at)), name)),
                ),
                h("p", { class: "small muted" }, t("teams.sit", { order: apart(names) })),
              ]
            : null,
        )
      : null,
  );
}
