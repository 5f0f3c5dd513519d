// What the referee asks, and what stands where it should not: each with what settles it in one tap.

import { cardFace } from "../cards.js";
import { h, icon } from "../dom.js";
import { actingSeat, asHost, isHost, ownSeat } from "../session.js";
import * as outbox from "../outbox.js";
import { state } from "../state.js";
import { t, word } from "../texts.js";
import { openPlay } from "./choices.js";
import { openHand } from "./hand.js";
import { isIllegal } from "./rulings.js";

/** Everything that wants an answer or a hand. */
export function asks() {
  const { questions, discrepancies, camera } = state.table;
  const items = [
    ...questions.map(question),
    ...discrepancies.map(discrepancy),
    ...cardSays().map((one) => h("div", { class: "ask-card" }, h("p", {}, h("strong", {}, t("custom.own")), ": ", one.text))),
    ...cameraSays(camera).map((text) => h("p", { class: "ask-card muted" }, icon("camera"), text)),
  ].filter(Boolean);
  return items.length ? h("section", { class: "asks", key: "asks", "aria-label": t("asks.title") }, items) : null;
}

// What a card of the table's own says, as long as it lies on top; what it forbids holds until somebody calls UNO.
const cardSays = () => state.table.notices.filter(({ on_top: lies, until_uno: forbids }) => lies || forbids);

/** What disturbs the camera, by the warnings that it sends; those of newer ones are left out. */
const WARNINGS = {
  shakes: () => t("asks.camera-shakes"),
  "focus-hunts": () => t("asks.focus-hunts"),
  "exposure-hunts": () => t("asks.exposure-hunts"),
  covered: () => t("asks.pile-covered"),
  slow: () => t("asks.camera-slow"),
};

function cameraSays(camera) {
  if (camera?.sight === "blind") return [t(camera.reason === "no-pile" ? "asks.blind-no-pile" : "asks.blind")];
  return (camera?.warnings ?? []).filter((one) => one in WARNINGS).map((one) => WARNINGS[one]());
}

const mayPlay = () => isHost() || ownSeat() !== null;

/** Whether this phone may say what is for some seats. */
const mayAnswer = (seats, host = isHost()) => host || seats.includes(ownSeat());

/** Answer as the own seat if that may say so, else as the host. */
function answer(one, body, seats) {
  const mine = ownSeat();
  const own = mayAnswer(seats, false) && (body.seat ?? mine) === mine;
  const seat = own ? mine : null;
  outbox.send({ method: "POST", path: `/questions/${one.id}/answers`, body, seat, label: "answer" });
}

function question(one) {
  const { ruleset } = state.table;
  const options = one.options
    .map((option, at) => ({ ...option, number: at + 1 }))
    .filter((option) => mayAnswer(option.may_answer));
  const buttons = options.map(({ number, text, may_answer: seats }, at) =>
    h(
      "button",
      { class: at ? "" : "main", "data-do": `answer-${number}`, onclick: () => answer(one, { option: number }, seats) },
      text,
    ),
  );
  const shown = one.hand?.map((read) => read.card).filter(Boolean) ?? [];
  return h(
    "div",
    { class: "ask-card question", key: `question-${one.id}`, role: "group", "aria-label": one.text },
    h("p", { class: "ask" }, icon("ask"), one.text),
    shown.length ? h("div", { class: "hand" }, shown.map((card) => cardFace(card, { ruleset, small: true }))) : null,
    mayPlay()
      ? h(
          "div",
          { class: "stack" },
          buttons,
          mayAnswer(one.may_name) ? (one.about === "hand" ? otherHand(one, shown) : otherCard(one)) : null,
        )
      : null,
  );
}

function otherCard(one) {
  const open = () =>
    openHand({
      title: one.text,
      count: 1,
      photo: false,
      say: t("asks.this-card"),
      done: ([card]) => answer(one, { card, seat: actingSeat() ?? 1 }, one.may_name),
    });
  return h("button", { class: "quiet", "data-do": "other-card", onclick: open }, t("asks.other-card"));
}

function otherHand(one, shown) {
  const seat = one.seat ?? actingSeat();
  const done = (hand) => answer(one, { hand, seat }, [seat]);
  const open = () => openHand({ title: one.text, count: one.count, cards: shown, photo: false, done });
  return h("button", { class: "quiet", onclick: open }, t("asks.other-hand"));
}

function discrepancy(one) {
  return h(
    "div",
    { class: "ask-card discrepancy", key: `${one.kind}-${one.power ?? one.is}`, role: "group", "aria-label": one.text },
    h("p", { class: "ask" }, icon("warn"), one.text),
    mayPlay() ? h("div", { class: "stack" }, fixes(one)) : null,
  );
}

/** What can be said on the phone about it; the rest is for hands. */
function fixes(one) {
  const { ruleset, state: now } = state.table;
  const found = [];
  const played = one.kind === "not-on-top" && now.turn && typeof one.is === "string" ? one.is : null;
  if (played && (isHost() || ownSeat() === now.turn)) {
    const seat = now.turn;
    const name = state.table.seats[seat - 1].name;
    const lay = () =>
      outbox.send({ method: "POST", path: "/moves", body: { seat, move: "play", card: played }, seat, label: "play", seen: state.table });
    found.push(h("button", { class: "main", onclick: lay }, t("asks.played", { seat: name, card: word(ruleset, "cards", played) })));
  }
  if (one.kind === "not-on-top" && !played) {
    found.push(h("button", { onclick: () => openPlay({ seat: now.turn ?? actingSeat() }) }, t("asks.say-played")));
  }
  const takes = state.choices?.choices
    .flatMap((choice) => choice.moves)
    .find((move) => move.move === "powers" && one.power && move.powers.length === 1 && move.powers[0] === one.power);
  if (takes && one.is === takes.seat) {
    const take = () =>
      outbox.send({ method: "POST", path: "/moves", body: takes, seat: takes.seat, label: "powers", seen: state.table });
    found.push(h("button", { class: "main", onclick: take }, t("asks.taken", { power: word(ruleset, "powers", one.power) })));
  }
  const last = [...state.entries].reverse().find((entry) => entry.kind === "moved");
  if (one.kind === "take-back" && isHost() && last && isIllegal(last)) {
    const body = { kind: "overrule", verdict: "legal", round: last.round, move: last.number };
    found.push(h("button", { onclick: () => asHost("/corrections", body, "overrule") }, t("host.overrule-legal")));
  }
  return found;
}
