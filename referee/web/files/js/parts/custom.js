// Cards that the table writes itself: proposed by somebody, approved by everybody else.

import { get } from "../api.js";
import { h } from "../dom.js";
import * as outbox from "../outbox.js";
import { isHost, ownSeat } from "../session.js";
import { redraw, state } from "../state.js";
import { t } from "../texts.js";
import { closeDialog, openDialog } from "./dialog.js";

const MOST = 3;
let deck = null;

const open = () => state.table.custom_cards.filter(({ missing }) => missing.length);
const nameOf = (seat) => state.table.seats[seat - 1].name;

/** The cards that wait for somebody, where nobody overlooks them: the round cannot begin before. */
export const customAsks = () => open().map(card);

/** Who still has to approve of a card, as a line; null if nobody has. */
export function stillToApprove() {
  const seats = [...new Set(open().flatMap(({ missing }) => missing))];
  return seats.length ? t("custom.missing", { seats: seats.map(nameOf).join(", ") }) : null;
}

/** The cards approved so far, and the way to propose one; null for a deck without them. */
export function customCards() {
  const { ruleset, custom_cards: cards } = state.table;
  if (deck?.id !== ruleset) {
    learn(ruleset);
    return null;
  }
  if (!deck.options.includes("custom_cards")) return null;
  const may = isHost() || ownSeat() !== null;
  return h(
    "section",
    { class: "stack", key: "custom" },
    h("h2", {}, t("custom.title")),
    h("p", { class: "muted" }, t("custom.hint")),
    cards.filter(({ missing }) => !missing.length).map(card),
    may && cards.length < MOST ? h("button", { "data-do": "propose", onclick: openPropose }, t("custom.propose")) : null,
  );
}

async function learn(ruleset) {
  deck = { id: ruleset, options: [] };
  try {
    deck = await get(`/rulesets/${ruleset}`);
    redraw();
  } catch {
    deck = null;
  }
}

const send = (method, path, body, seat) =>
  outbox.send({ method, path: `/custom-cards${path}`, body, seat, label: "custom" });

function card({ id, card: said, seat, missing }) {
  const names = missing.map(nameOf).join(", ");
  const by = seat === null ? t("custom.by-host") : t("custom.by", { seat: nameOf(seat) });
  const approvers = missing.filter((one) => one === ownSeat() || isHost());
  const mine = isHost() || (seat !== null && seat === ownSeat());
  return h(
    "div",
    { class: "ask-card", key: `custom-${id}`, role: "group", "aria-label": said.text },
    missing.length ? h("p", { class: "small" }, by) : null,
    h("p", { class: "ask" }, said.text),
    h("p", { class: "muted" }, missing.length ? t("custom.missing", { seats: names }) : t("custom.approved")),
    h(
      "div",
      { class: "row" },
      approvers.map((one) =>
        h(
          "button",
          { class: "main", "data-do": `approve-${one}`, onclick: () => send("POST", `/${id}/approvals`, { seat: one }, one) },
          one === ownSeat() ? t("custom.approve") : t("custom.approve-for", { seat: nameOf(one) }),
        ),
      ),
      mine ? h("button", { onclick: () => send("DELETE", `/${id}`, undefined, seat) }, t("custom.withdraw")) : null,
    ),
  );
}

function openPropose() {
  const seat = ownSeat();
  let text = "";
  const propose = (proposed) => {
    closeDialog();
    send("POST", "", seat === null ? { card: proposed } : { card: proposed, seat }, seat);
  };
  openDialog(t("custom.propose"), () => [
    h("div", { class: "field" }, h("label", { for: "own-card" }, t("custom.own")), h("input", { id: "own-card", maxlength: 200, oninput: (event) => ((text = event.target.value.trim()), redraw()) })),
    h("p", { class: "small muted" }, t("custom.own-hint")),
    h("button", { class: "main", disabled: !text, "data-do": "own", onclick: () => propose({ text, effects: [{ effect: "text", text }] }) }, t("custom.propose-own")),
    h("h3", {}, t("custom.examples")),
    h("div", { class: "stack" }, deck.custom_card_examples.map((one, at) => h("button", { key: at, "data-do": `example-${at + 1}`, onclick: () => propose(one) }, one.text))),
  ]);
}
