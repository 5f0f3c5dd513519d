// Setting up a table.

import { bring, bringsComputers } from "../along.js";
import { call, get, newKey, post } from "../api.js";
import { cardFace, parts } from "../cards.js";
import { h, icon } from "../dom.js";
import { chooseFor, groupField, lastGroup } from "../groups.js";
import { keepName, keepPlace, lastPeople, myName, read, write } from "../kept.js";
import { checkField, later, textField } from "../parts/dialog.js";
import { timerFields } from "../parts/timer.js";
import { go } from "../router.js";
import { troubleOf } from "../session.js";
import { notify, redraw } from "../state.js";
import { language, learnDeck, t } from "../texts.js";

// Setting up a table: a deck, one's own name, and it is open; everybody else types their own name.
// What was chosen last time is chosen again.

const LONGEST = 40;
const choice = later(() => import("../house/choice.js"));
let decks = [];
let last = [];
let wish = null;
let busy = false;
let key = newKey();

export const setup = {
  path: "/new",
  title: () => t("setup.title"),
  back: () => "/",
  async enter() {
    const { ruleset = "", options = {}, mode = "referee", timer = null } = read("wish", {});
    wish = { ruleset, options, mode, timer, name: myName(), seat: true, others: [], group: "" };
    last = lastPeople();
    try {
      decks = (await get("/rulesets")).items;
      const asked = new URLSearchParams(location.search);
      wish.ruleset = [asked.get("deck"), wish.ruleset, decks[0].id].find(deckOf);
      const [{ begin, optionsOf }] = await Promise.all([import("../house/choice.js"), learnDeck(wish.ruleset)]);
      begin();
      // A link brings house rules along.
      if (asked.has("house")) {
        const found = optionsOf(deckOf(wish.ruleset), asked.get("house"));
        wish.options = found ?? {};
        if (!found) notify(t("house.no-code"));
      }
    } catch {
      notify(t("link.lost"));
    }
  },
  render: () => (wish && decks.length ? form() : h("p", { class: "muted" }, t("link.connecting"))),
};

function put(patch) {
  wish = { ...wish, ...patch };
  key = newKey();
  redraw();
}

function form() {
  const send = (event) => {
    event.preventDefault();
    make();
  };
  return h(
    "form",
    { class: "stack setup", onsubmit: send },
    h("fieldset", {}, h("legend", {}, t("setup.which")), h("p", { class: "small muted" }, t("setup.which-hint")), deckChoice(decks, wish.ruleset, choose)),
    houseRules(),
    teams(),
    more(),
    h("div", { class: "start-foot" }, wish.seat ? ownName() : null, again(), h("button", { class: "main wide", disabled: busy || lacksTeams(), "data-do": "make" }, t("setup.make"))),
  );
}

const lacksTeams = () => Boolean(choice()?.inTeams() && !choice().teamsOf(names()));

// Teams are made of names: all are typed here then.
function teams() {
  const house = choice();
  if (!house) return null;
  const fewest = house.FEWEST_IN_TEAMS - (wish.seat ? 1 : 0);
  const more = () => Array.from({ length: Math.max(0, fewest - wish.others.length) }, () => "");
  const chosen = (wanted) => put(wanted ? { others: [...wish.others, ...more()] } : {});
  return house.teamCard({ ruleset: wish.ruleset, names: names(), people: [wish.others.map(nameField), nameButtons()], put: chosen });
}

async function choose(id) {
  // What the other deck knows as well is chosen still.
  const { options } = deckOf(id);
  put({ ruleset: id, options: Object.fromEntries(Object.entries(wish.options).filter(([name]) => options.includes(name))) });
  await learnDeck(id).catch(() => {});
  redraw();
}

function ownName() {
  const oninput = (event) => {
    wish.name = event.target.value;
    key = newKey();
    redraw();
  };
  return [textField(t("setup.my-name"), { id: "my-name", value: wish.name, oninput, required: true, maxlength: LONGEST, autocomplete: "nickname" }), twice(wish.name)];
}

// How often the names were filled in: what stands in a field that was there before goes with it.
let filled = 0;

// One tap brings back whoever played last.
function again() {
  if (!last.length) return null;
  const on = last.every((name) => wish.others.includes(name));
  const toggle = () => {
    filled += 1;
    put(on ? { others: [], group: "" } : { others: last, group: lastGroup() });
  };
  return h(
    "button",
    { type: "button", class: "wide again", "aria-pressed": String(on), "data-do": "same-people", onclick: toggle },
    icon("people"),
    h("span", {}, t("setup.again", { names: last.join(", ") })),
  );
}

function more() {
  return h(
    "details",
    { class: "house" },
    h("summary", {}, t("setup.further")),
    checkField(t("setup.score-only"), wish.mode === "score", (checked) => put({ mode: checked ? "score" : "referee" }), { "data-do": "score-only" }),
    h("p", { class: "small muted" }, t("setup.score-hint")),
    checkField(t("setup.no-seat"), !wish.seat, (checked) => put({ seat: !checked }), { "data-do": "no-seat" }),
    choice()?.inTeams()
      ? null
      : [h("h2", {}, t("setup.others")), h("p", { class: "small muted" }, t("setup.others-hint")), wish.others.map(nameField), nameButtons()],
    timerFields(wish.timer, (timer) => put({ timer })),
    groupField(wish.group, (group) => put({ group })),
  );
}

function nameField(name, at) {
  const number = at + (wish.seat ? 2 : 1);
  const oninput = (event) => {
    wish.others[at] = event.target.value;
    key = newKey();
    redraw();
  };
  return h(
    "div",
    { class: "field", key: `name-${number} ${filled}` },
    h("label", { for: `name-${number}` }, t("setup.name", { number })),
    h("input", { id: `name-${number}`, value: name, oninput, maxlength: LONGEST, autocomplete: "off", placeholder: t("setup.placeholder") }),
    twice(name),
  );
}

// The server refuses a name that is there twice: whoever types it is told at once, at either field.
function twice(name) {
  const again = names().filter((other) => lookOf(other) === lookOf(name)).length > 1;
  return again ? h("p", { class: "small warn", role: "alert" }, t("setup.twice", { name: name.trim() })) : null;
}

const lookOf = (name) => name.trim().normalize("NFKC").toLowerCase();

function nameButtons() {
  const { others } = wish;
  const add = () => {
    put({ others: [...others, ""] });
    // Once it is there, it is typed into.
    queueMicrotask(() => document.getElementById(`name-${others.length + (wish.seat ? 2 : 1)}`)?.focus());
  };
  const full = others.length + (wish.seat ? 1 : 0) >= deckOf(wish.ruleset).most_seats;
  return h(
    "div",
    { class: "row" },
    h("button", { type: "button", disabled: full, onclick: add, "data-do": "more" }, t("setup.more")),
    others.length ? h("button", { type: "button", onclick: () => put({ others: others.slice(0, -1) }), "data-do": "fewer" }, t("setup.fewer")) : null,
  );
}

// Nobody who only wants the sheet's rules has anything to do here.
function houseRules() {
  const { ruleset, options } = wish;
  return choice()?.houseChoice({ deck: deckOf(ruleset), options, put: (chosen) => put({ options: chosen }), seats: names().length }) ?? null;
}

// Whoever has a seat from the start, oneself first.
const names = () => [...(wish.seat ? [wish.name.trim()] : []), ...wish.others.map((name) => name.trim()).filter(Boolean)];

const deckOf = (ruleset) => decks.find((one) => one.id === ruleset);

// What the host has let in at an earlier table. Where a round elsewhere needs it, the host is told.
async function bringAlong(table, token) {
  try {
    const needed = (await bring(table, token, "free")).filter(({ place }) => place === "busy");
    if (needed.length) notify(t("devices.busy", { name: needed.map(({ name }) => name).join(", ") }));
  } catch {
    // Under Camera and board it can be brought still.
  }
}

async function make() {
  busy = true;
  redraw();
  const { ruleset, mode, timer } = wish;
  const seats = names();
  const options = Object.fromEntries(
    Object.entries(wish.options).filter(([, value]) => value !== undefined && value !== ""),
  );
  const together = choice()?.teamsOf(seats) ?? null;
  write("wish", { ruleset, mode, options, timer });
  if (wish.seat) keepName(seats[0]);
  try {
    const made = await post("/tables", { ruleset, seats, options: together ? { ...options, teams: together } : options, mode, timer, open: !together }, { key });
    const { id, invitation: code } = made.table;
    keepPlace(id, { host: made.token, ruleset, seats });
    if (wish.seat) {
      const joined = await post("/join", { code, seat: 1 }, { key: `${key}-seat` });
      keepPlace(id, { seat: { seat: 1, token: joined.token } });
      await call("PUT", `/tables/${id}/language`, { token: joined.token, body: { language: language() } });
    }
    if (wish.group) await chooseFor(id, made.token, wish.group);
    key = newKey();
    go(`/t/${id}`, { replace: true });
    if (bringsComputers()) bringAlong(id, made.token);
  } catch (error) {
    notify(troubleOf(error));
  }
  busy = false;
  redraw();
}

// Choosing a deck by its picture: how many cards it has, and those that tell it from the others.

const SHOWN = 3;

/** The decks to choose from; `chosen` is an id. */
function deckChoice(decks, chosen, choose) {
  return h(
    "div",
    { class: "decks" },
    decks.map((deck) => {
      const count = t("play.cards", { count: deck.cards });
      return h(
        "label",
        { class: "deck", key: deck.id },
        h("input", { type: "radio", name: "deck", value: deck.id, checked: deck.id === chosen, onchange: () => choose(deck.id) }),
        h("span", { class: "fan" }, telling(deck, decks).map((card) => cardFace(card, { ruleset: deck.id, label: "", small: true }))),
        h("span", { class: "deck-said" }, h("strong", { class: "deck-count" }, count), h("span", {}, short(deck.name, count))),
      );
    }),
  );
}

// The number stands above it already.
const short = (name, count) => name.replace(`, ${count}`, "");

/** The cards of a deck that the fewest other decks have, each with another picture. */
function telling(deck, decks) {
  const sets = decks.map(({ faces }) => new Set(faces.map(pictureOf)));
  const found = new Map();
  for (const card of deck.faces) {
    const picture = pictureOf(card);
    const { color, icon } = parts(card);
    const common = sets.filter((set) => set.has(picture)).length;
    // Wilds have the most to show; of the others a 7 is as good as any.
    const rank = common * 4 + (color ? 2 : 0) + (color && !icon && !picture.includes("-") ? 1 : 0);
    if (!found.has(picture)) found.set(picture, { card, rank });
  }
  const best = [...found.values()].sort((a, b) => a.rank - b.rank);
  return spread(best).map(({ card }) => card);
}

// Not three wilds of a kind: the second and the third have something of their own.
function spread(ranked) {
  const kinds = new Set();
  const kind = ({ card }) => parts(card).symbol.replace(/-?[^-]*$/, "") + (parts(card).color ?? "");
  const chosen = ranked.filter((one) => !kinds.has(kind(one)) && kinds.add(kind(one)));
  return chosen.slice(0, SHOWN);
}

function pictureOf(card) {
  const { symbol, icon } = parts(card);
  return icon ? `icon-${icon}` : symbol;
}
