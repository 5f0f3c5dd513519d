// A round by its result: who went out, and what everybody else holds, as points or as cards.

import { h } from "../dom.js";
import { attempt, heldSeat, isHost } from "../session.js";
import { redraw, seated, state } from "../state.js";
import { t } from "../texts.js";
import { askFirst } from "./corrections.js";
import { openForm } from "./form.js";
import { openHand } from "./hand.js";

let draft = { of: null };

/** An entry form for the round that was played: the screen of a table that only keeps score. */
export function resultPanel() {
  const { id, game, round } = state.table;
  const of = [id, game, round].join(" ");
  if (draft.of !== of) draft = { of, ...begun() };
  const now = draft;
  const send = async (event) => {
    event.preventDefault();
    now.busy = true;
    redraw();
    now.trouble = await attempt("POST", "/rounds", { result: resultOf(now) }, isHost() ? null : heldSeat());
    now.busy = false;
    redraw();
  };
  return h(
    "form",
    { class: "stack", key: "result", onsubmit: send },
    h("h2", {}, t("result.title", { number: round + 1 })),
    fields(now),
    now.trouble ? h("p", { class: "warn", role: "alert" }, now.trouble) : null,
    h("button", { class: "main wide", disabled: now.busy || !complete(now), "data-do": "enter" }, t("result.enter")),
  );
}

/** A sheet for the result of a round that the referee did not follow. */
export function openResult(now = begun()) {
  const send = () => attempt("POST", "/rounds", { result: resultOf(now) }, isHost() ? null : heldSeat());
  now.back = () => openResult(now);
  openForm(t("deal.by-result"), () => fields(now), { say: t("result.enter"), send, ready: () => complete(now) });
}

/** A sheet that changes the result of a round; `given` is what was entered. */
export function openOtherResult(round, given, now = begun(given)) {
  now.back = () => openOtherResult(round, given, now);
  openForm(t("mend.result"), () => fields(now), {
    say: t("result.enter"),
    ready: () => complete(now),
    send: async () => {
      askFirst({ kind: "result", round, result: resultOf(now) });
      // The question what it changes has taken the place of this sheet.
      return "";
    },
  });
}

function begun(given = { out: null, hands: {} }) {
  const hands = {};
  for (const [seat, hand] of Object.entries(given.hands)) {
    hands[seat] = Array.isArray(hand) ? { cards: hand } : hand === null ? { unknown: true } : { points: String(hand) };
  }
  return { out: given.out, hands, trouble: null, busy: false };
}

const others = (now) => seated(state.table).filter(({ seat }) => seat !== now.out);
const needsHands = () => state.table.options.scoring !== "hand";

function valueOf({ points = "", cards, unknown } = {}) {
  if (cards) return cards;
  if (unknown) return null;
  return /^\d+$/.test(points.trim()) ? Number(points) : undefined;
}

const complete = (now) => now.out !== null && (!needsHands() || others(now).every(({ seat }) => valueOf(now.hands[seat]) !== undefined));

function resultOf(now) {
  const hands = needsHands() ? others(now).map(({ seat }) => [seat, valueOf(now.hands[seat])]) : [];
  return { out: now.out, hands: Object.fromEntries(hands) };
}

function fields(now) {
  const pick = (seat) => ((now.out = seat), redraw());
  return [
    h("p", { class: "ask", key: "who", id: "who-out" }, t("result.out")),
    h(
      "div",
      { class: "row", key: "out", role: "group", "aria-labelledby": "who-out" },
      seated(state.table).map(({ seat, name }) =>
        h("button", { type: "button", key: seat, "data-do": `out-${seat}`, "aria-pressed": String(now.out === seat), onclick: () => pick(seat) }, name),
      ),
    ),
    now.out !== null && needsHands() ? [h("p", { class: "ask", key: "left" }, t("result.left")), others(now).map((one) => hand(now, one))] : null,
  ];
}

function hand(now, { seat, name }) {
  const has = now.hands[seat] ?? {};
  const put = (value) => ((now.hands[seat] = value), redraw());
  const read = () =>
    openHand({
      title: name,
      cards: has.cards ?? [],
      done: (cards) => {
        put({ cards });
        now.back?.();
      },
    });
  const id = `points-${seat}`;
  return h(
    "div",
    { class: "held", key: `hand-${seat}`, role: "group", "aria-label": name },
    h("label", { for: id }, name),
    has.cards || has.unknown
      ? h("p", { class: "tag", key: "said" }, has.cards ? t("play.cards", { count: has.cards.length }) : t("result.unknown"))
      : h("input", { id, key: "points", type: "number", inputmode: "numeric", min: 0, value: has.points ?? "", placeholder: t("result.points"), oninput: (event) => put({ points: event.target.value }) }),
    has.cards || has.unknown
      ? h("button", { type: "button", class: "quiet", key: "other", onclick: () => put({}) }, t("result.otherwise"))
      : [
          h("button", { type: "button", key: "cards", "data-do": `cards-${seat}`, onclick: read }, t("result.cards")),
          isHost() ? h("button", { type: "button", key: "unknown", "data-do": `unknown-${seat}`, onclick: () => put({ unknown: true }) }, t("result.unknown")) : null,
        ],
  );
}
