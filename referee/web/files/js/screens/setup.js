// Setting up a table: deck, names, house rules. What was chosen last time is chosen again.

import { call, get, newKey, post } from "../api.js";
import { h } from "../dom.js";
import { keepPlace, read, write } from "../kept.js";
import { checkField, selectField } from "../parts/fields.js";
import { go } from "../router.js";
import { troubleOf } from "../session.js";
import { notify, redraw } from "../state.js";
import { language, learnDeck, t, word } from "../texts.js";

const FEWEST = 2;
const MOST = 10;
// The values that a house rule can have.
const VALUES = {
  scoring: ["winner", "low", "hand"],
  two_player_reverse: ["skip", "pass"],
  wild_tower_points: [50, 20],
  shuffle_hands: ["others", "all"],
  tower_claim: ["automatic", "must-move"],
  identical_cards: [false, true],
};
let decks = [];
let wish = null;
let busy = false;
let key = newKey();

export const setup = {
  path: "/new",
  title: () => t("setup.title"),
  back: () => "/",
  async enter() {
    wish = { ruleset: "", names: ["", "", ""], mine: 1, options: {}, mode: "referee", ...read("wish", {}) };
    try {
      decks = (await get("/rulesets")).items;
      if (!decks.some((one) => one.id === wish.ruleset)) wish.ruleset = decks[0].id;
      await learnDeck(wish.ruleset);
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
    { class: "stack", onsubmit: send },
    h("fieldset", {}, h("legend", {}, t("setup.deck")), decks.map(deckChoice)),
    h("fieldset", {}, h("legend", {}, t("setup.seats")), h("p", { class: "small muted" }, t("setup.seats-hint")), wish.names.map(nameField), nameButtons()),
    houseRules(),
    checkField(t("setup.score-only"), wish.mode === "score", (checked) => put({ mode: checked ? "score" : "referee" }), { "data-do": "score-only" }),
    h("p", { class: "small muted" }, t("setup.score-hint")),
    h("button", { class: "main wide", disabled: busy, "data-do": "make" }, t("setup.make")),
  );
}

function deckChoice({ id, name }) {
  const choose = async () => {
    put({ ruleset: id, options: {} });
    await learnDeck(id).catch(() => {});
    redraw();
  };
  return h(
    "label",
    { class: "check", key: id },
    h("input", { type: "radio", name: "deck", value: id, checked: wish.ruleset === id, onchange: choose }),
    h("span", {}, name),
  );
}

function nameField(name, at) {
  const id = `name-${at + 1}`;
  const oninput = (event) => {
    wish.names[at] = event.target.value;
    key = newKey();
  };
  return h(
    "div",
    { class: "seat-field", key: id },
    h("label", { for: id }, t("setup.name", { number: at + 1 })),
    h("input", { id, name: id, value: name, oninput, required: true, maxlength: 40, autocomplete: "off", placeholder: t("setup.placeholder") }),
    h(
      "label",
      { class: "check" },
      h("input", { type: "radio", name: "mine", checked: wish.mine === at + 1, onchange: () => put({ mine: at + 1 }) }),
      h("span", {}, t("setup.me")),
    ),
  );
}

function nameButtons() {
  const { names, mine } = wish;
  const fewer = () => put({ names: names.slice(0, -1), mine: mine < names.length ? mine : null });
  return h(
    "div",
    { class: "row" },
    h("button", { type: "button", disabled: names.length >= MOST, onclick: () => put({ names: [...names, ""] }), "data-do": "more" }, t("setup.more")),
    h("button", { type: "button", disabled: names.length <= FEWEST, onclick: fewer, "data-do": "fewer" }, t("setup.fewer")),
    h(
      "label",
      { class: "check" },
      h("input", { type: "radio", name: "mine", checked: wish.mine === null, onchange: () => put({ mine: null }) }),
      h("span", {}, t("setup.no-seat")),
    ),
  );
}

function houseRules() {
  const { ruleset, options } = wish;
  const { options: all, usual } = decks.find((one) => one.id === ruleset);
  const known = all.filter((name) => VALUES[name]);
  const set = (name, value) => put({ options: { ...options, [name]: value } });
  return h(
    "details",
    { class: "house" },
    h("summary", {}, t("setup.house")),
    known.map((name) => {
      const others = VALUES[name].filter((value) => value !== usual[name]);
      const values = others.map((value) => [String(value), valueWord(ruleset, name, value)]);
      const asUsual = `${valueWord(ruleset, name, usual[name])} · ${t("setup.usual")}`;
      const chosen = String(options[name] ?? "");
      const choose = (text) => set(name, others.find((value) => String(value) === text));
      return selectField(word(ruleset, "options", name), [["", asUsual], ...values], chosen, choose, `option-${name}`);
    }),
    h(
      "div",
      { class: "field" },
      h("label", { for: "option-target" }, word(ruleset, "options", "target")),
      h("input", {
        id: "option-target",
        type: "number",
        inputmode: "numeric",
        min: 1,
        max: 1_000_000,
        placeholder: String(usual.target),
        value: options.target ?? "",
        onchange: (event) => set("target", event.target.value ? Number(event.target.value) : undefined),
      }),
    ),
  );
}

function valueWord(ruleset, name, value) {
  const id = `${name}.${value}`;
  const found = word(ruleset, "options", id);
  return found === id ? String(value) : found;
}

async function make() {
  busy = true;
  redraw();
  const { ruleset, mine, mode } = wish;
  const seats = wish.names.map((name) => name.trim());
  const options = Object.fromEntries(
    Object.entries(wish.options).filter(([, value]) => value !== undefined && value !== ""),
  );
  write("wish", { ...wish, names: seats });
  try {
    const made = await post("/tables", { ruleset, seats, options, mode }, { key });
    const { id, invitation: code } = made.table;
    keepPlace(id, { host: made.token, ruleset, seats });
    if (mine) {
      const joined = await post("/join", { code, seat: mine }, { key: `${key}-seat` });
      keepPlace(id, { seat: { seat: mine, token: joined.token } });
      await call("PUT", `/tables/${id}/language`, { token: joined.token, body: { language: language() } });
    }
    key = newKey();
    go(`/t/${id}`, { replace: true });
  } catch (error) {
    notify(troubleOf(error));
  }
  busy = false;
  redraw();
}
