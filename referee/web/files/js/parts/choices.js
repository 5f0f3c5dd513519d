// The buttons that make sense now: what the server says that this seat may do.

import { cardFace, colorMark } from "../cards.js";
import { h } from "../dom.js";
import { actingSeat, isHost, move } from "../session.js";
import { redraw, state } from "../state.js";
import { t, word } from "../texts.js";
import { closeDialog, openDialog } from "./dialog.js";
import { openHand } from "./hand.js";
import { cardPicker } from "./picker.js";
import { powerMark } from "./powers.js";

// The most pressing first.
const ORDER = "uno catch reveal color powers respond accept challenge play flip draw pass".split(" ");
const MAIN = new Set(["play", "accept", "reveal", "uno", "color", "powers", "judge", "report", "discard"]);
let taken = [];

/** All buttons of the seat that is spoken for; a sentence when there are none. */
export function choicesPanel() {
  // Those of the seat that was spoken for before are not shown for another one.
  const choices = state.choices?.seat === actingSeat() ? state.choices : null;
  const busy = state.waiting.some((one) => one.path === "/moves");
  const kinds = merged(choices?.choices ?? []).filter(isOwnChoice);
  return h(
    "section",
    { class: "choices", tabindex: "-1", "aria-label": t("play.choices"), "aria-busy": String(busy) },
    kinds.length ? kinds.map(panelOf) : h("p", { class: "muted" }, choices ? t("play.nothing") : ""),
  );
}

// Where nothing but towers or a power is awaited, to pass is to take nothing, which has its button. Who
// has called UNO need not call again, except to end a custom card's ban.
function isOwnChoice({ kind }) {
  const { uno, awaiting } = state.table.state;
  if (kind === "uno" && uno.includes(actingSeat())) return state.table.notices.some((one) => one.until_uno);
  const due = awaiting.filter((one) => one.seat === actingSeat());
  return kind !== "pass" || !due.length || due.some((one) => one.need !== "powers");
}

/** The choices with those of one kind put together, in the order of their urgency. */
export function merged(choices) {
  const kinds = new Map();
  for (const { kind, moves, to, text, rule } of choices) {
    const one = kinds.get(kind) ?? { kind, moves: [], to: [], text, rule };
    one.moves.push(...moves);
    one.to.push(...to);
    kinds.set(kind, one);
  }
  const place = ({ kind }) => (ORDER.includes(kind) ? ORDER.indexOf(kind) : ORDER.length);
  return [...kinds.values()].sort((a, b) => place(a) - place(b));
}

const PANELS = { color: colors, powers, challenge, catch: catches, discard: counts, report, judge };
const OPENERS = { play: openPlay, reveal: openReveal, give: openGive, flip: openFlip };

function panelOf(choice) {
  if (PANELS[choice.kind]) return PANELS[choice.kind](choice);
  const onclick = OPENERS[choice.kind]
    ? () => OPENERS[choice.kind](choice)
    : () => move(choice.moves[0], choice.kind);
  return button(choice.kind, t(`act.${choice.kind}`), onclick);
}

function button(kind, text, onclick, key = kind) {
  return h("button", { key, "data-do": key, class: MAIN.has(kind) ? "main" : "", onclick }, text);
}

/** Lay a card: those that fit are bright, the others can be laid as well, for that happens. */
export function openPlay({ moves = [], seat = actingSeat() }) {
  const { ruleset, state: now } = state.table;
  const legal = moves.length ? new Set(moves.map((one) => one.card)) : null;
  const last = now.hands[seat - 1] === 2;
  let uno = false;
  const lay = (card) => {
    closeDialog();
    move({ seat, move: "play", card, ...(uno ? { uno: true } : {}) }, "play");
  };
  const pick = (card, fits) => (fits || !legal ? lay(card) : openAgainst(card, () => lay(card)));
  const picker = cardPicker({ ruleset, legal, first: now.color, pick });
  openDialog(t("act.play"), () => [
    last
      ? h(
          "label",
          { class: "check uno" },
          h("input", { type: "checkbox", checked: uno, onchange: (event) => (uno = event.target.checked) }),
          h("span", {}, t("play.with-uno")),
        )
      : null,
    picker(),
  ]);
}

function openAgainst(card, lay) {
  const { ruleset } = state.table;
  openDialog(t("play.against-title"), (close) => [
    h("div", { class: "centred" }, cardFace(card, { ruleset })),
    h("p", {}, t("play.against", { card: word(ruleset, "cards", card) })),
    h(
      "div",
      { class: "row" },
      h("button", { onclick: close }, t("nav.back")),
      h("button", { class: "main", "data-do": "lay-anyway", onclick: lay }, t("play.against-yes")),
    ),
  ]);
}

function openReveal() {
  const seat = actingSeat();
  const count = state.table.state.hands[seat - 1];
  const show = (what) => move({ seat, move: "reveal", ...what }, "reveal");
  // A hand that is challenged is shown; one that is only counted may be entered by its points.
  const counts = state.table.state.round_winner !== null;
  openHand({
    title: t("act.reveal"),
    count,
    done: (hand) => show({ hand }),
    counted: counts ? (points) => show({ points }) : null,
    unknown: counts && isHost() ? () => show({ unknown: true }) : null,
  });
}

function openFlip({ moves }) {
  const { ruleset, state: now } = state.table;
  const legal = new Set(moves.map((one) => one.card));
  const pick = (card) => {
    closeDialog();
    move({ move: "flip", card }, "flip");
  };
  const picker = cardPicker({ ruleset, legal, first: now.color, pick });
  openDialog(t("act.flip"), () => picker());
}

function openGive({ to }) {
  const seats = state.table.seats;
  openDialog(t("act.give"), () =>
    to.map((one) =>
      h(
        "button",
        { class: "wide", key: one, onclick: () => openGiveTo(one) },
        t("play.give-to", { seat: seats[one - 1].name }),
      ),
    ),
  );
}

function openGiveTo(to) {
  openHand({
    title: t("act.give"),
    photo: false,
    say: t("play.give-to", { seat: state.table.seats[to - 1].name }),
    done: (cards) => move({ move: "give", to, cards }, "give"),
  });
}

function colors({ moves }) {
  const { ruleset } = state.table;
  return h(
    "div",
    { class: "group", key: "color", role: "group", "aria-label": t("act.color") },
    h("p", { class: "ask" }, t("act.color")),
    h(
      "div",
      { class: "colors" },
      moves.map((one) =>
        h(
          "button",
          { class: `color fill-${one.color}`, key: one.color, "data-do": `color-${one.color}`, onclick: () => move(one, "color") },
          colorMark(one.color),
          word(ruleset, "colors", one.color),
        ),
      ),
    ),
  );
}

function powers({ moves }) {
  const { ruleset } = state.table;
  const names = [...new Set(moves.flatMap((one) => one.powers))];
  const most = Math.max(...moves.map((one) => one.powers.length));
  taken = taken.filter((name) => names.includes(name)).slice(0, most);
  const toggle = (name) => {
    const others = taken.filter((one) => one !== name);
    taken = taken.includes(name) ? others : [...others, name].slice(-most);
    redraw();
  };
  const send = () => {
    const wanted = moves.find((one) => same(one.powers, taken));
    taken = [];
    move(wanted, "powers");
  };
  return h(
    "div",
    { class: "group", key: "powers", role: "group", "aria-label": t("act.powers") },
    h("p", { class: "ask" }, t("play.take", { count: most })),
    h(
      "div",
      { class: "row" },
      names.map((name) =>
        h(
          "button",
          { key: name, "data-do": `power-${name}`, "aria-pressed": String(taken.includes(name)), onclick: () => toggle(name) },
          powerMark(name),
          word(ruleset, "powers", name),
        ),
      ),
    ),
    h("button", { class: "main", "data-do": "take", onclick: send }, taken.length ? t("play.take-these") : t("play.take-none")),
  );
}

const same = (a, b) => a.length === b.length && a.every((one) => b.includes(one));

function catches({ moves }) {
  return moves.map((one) =>
    button("catch", t("play.catch", { seat: state.table.seats[one.accused - 1].name }), () => move(one, "catch"), `catch-${one.accused}`),
  );
}

// What is at stake stands with the button.
function challenge({ moves, text }) {
  return h(
    "div",
    { class: "stack", key: "challenge" },
    button("challenge", t("act.challenge"), () => move(moves[0], "challenge")),
    h("p", { class: "stakes" }, text),
  );
}

function counts({ moves }) {
  return numbers("discard", t("act.discard"), moves, (one) => one.count);
}

function report({ moves }) {
  return numbers("report", t("act.report"), moves, (one) => one.drawn);
}

function numbers(kind, text, moves, valueOf) {
  const few = moves.length <= 8;
  const choose = (event) => event.target.value && move(moves[Number(event.target.value)], kind);
  return h(
    "div",
    { class: "group", key: kind, role: "group", "aria-label": text },
    h("p", { class: "ask" }, text),
    few
      ? h("div", { class: "row" }, moves.map((one) => button(kind, String(valueOf(one)), () => move(one, kind), `${kind}-${valueOf(one)}`)))
      : h(
          "select",
          { "aria-label": text, onchange: choose },
          h("option", { value: "" }, "–"),
          moves.map((one, at) => h("option", { value: at }, String(valueOf(one)))),
        ),
  );
}

function judge({ moves }) {
  return h(
    "div",
    { class: "group", key: "judge", role: "group", "aria-label": t("act.judge") },
    h("p", { class: "ask" }, t("act.judge")),
    h(
      "div",
      { class: "row" },
      moves.map((one) => button("judge", t(one.passed ? "play.passed" : "play.failed"), () => move(one, "judge"), `judge-${one.passed}`)),
    ),
  );
}
