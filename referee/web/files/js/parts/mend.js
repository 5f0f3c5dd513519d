// Setting an entry of the log right: another card, a move that was missed, another start of a round.

import { get } from "../api.js";
import { cardFace, parts } from "../cards.js";
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { isHost, readToken } from "../session.js";
import { redraw, seated, state } from "../state.js";
import { t } from "../texts.js";
import { askFirst } from "./corrections.js";
import { closeDialog, openDialog } from "./dialog.js";
import { selectField } from "./fields.js";
import { openHand } from "./hand.js";
import { cardPicker } from "./picker.js";
import { openOtherResult } from "./result.js";

// What the players may have done without anybody entering it.
const MISSED = ["play", "draw", "pass", "uno"];
const MENDED = ["moved", "round-opened", "round-counted", "corrected"];

/** Whether an entry can be corrected: it stands, and belongs to the present game. */
export function canMend(entry) {
  if (!isHost() || entry.undone || !MENDED.includes(entry.kind)) return false;
  if (entry.kind === "corrected" && !entry.entered) return isLastCorrection(entry);
  return !state.entries.some((one) => one.kind === "game-started" && one.id > entry.id);
}

// The one that a redo takes back.
function isLastCorrection(entry) {
  const stands = state.entries.filter((one) => one.kind === "corrected" && !one.undone && one.change?.kind !== "redo");
  return stands.at(-1)?.id === entry.id;
}

const redo = () => button("redo", t("host.redo"), () => askFirst({ kind: "redo" }));

const moveOf = (entry) => entry.move ?? entry.change?.replacement ?? entry.change?.inserted;

/** Whether the host can say that it was another card. */
export const hasCard = (entry) => canMend(entry) && ["play", "flip"].includes(moveOf(entry)?.move);

/** A button for each way to set an entry right. */
export function mendButtons(entry) {
  const { id, round, kind } = entry;
  if (kind === "round-opened") return roundButtons(round, false);
  if (kind === "round-counted") return roundButtons(round, true, entry.result);
  if (kind === "corrected" && !entry.entered) return h("div", { class: "stack", key: "mend" }, redo());
  const move = moveOf(entry);
  const replace = (replacement) => askFirst({ kind: "replace", entry: id, replacement });
  const verdict = entry.ruling?.verdict === "legal" ? "illegal" : "legal";
  return h(
    "div",
    { class: "stack", key: "mend" },
    button("undo", [icon("undo"), t("host.undo-this")], () => askFirst({ kind: "undo", entry: id }, { mayGoOn: true })),
    hasCard(entry) ? button("other-card", t("mend.card"), () => openOtherCard(entry)) : null,
    move?.move === "reveal" ? button("other-hand", t("asks.other-hand"), () => openOtherHand(move, entry, replace)) : null,
    button("insert", t("mend.insert"), () => openInsert(entry, move?.seat)),
    isLastCorrection(entry) ? redo() : null,
    entry.ruling ? button("overrule", t(`host.overrule-${verdict}`), () => askFirst({ kind: "overrule", verdict, entry: id })) : null,
  );
}

const button = (name, text, onclick) => h("button", { key: name, "data-do": name, onclick }, text);

// What was chosen with the card before does not belong to another one.
function laid({ seat, move, uno }, card, color) {
  return { seat, move, card, ...(color ? { color } : {}), ...(uno ? { uno } : {}) };
}

/** Ask for a card; `done(card, color)`. `colors`: a wild's colour is said with it. */
function openCard(title, done, colors = true) {
  const { ruleset } = state.table;
  const pick = (card, { color }) => {
    closeDialog();
    done(card, color);
  };
  const picker = cardPicker({ ruleset, colors, pick });
  openDialog(title, () => picker());
}

/** The card of an entry as it should have been; the colour of a wild that was named later stays its own entry. */
export function openOtherCard(entry) {
  const move = moveOf(entry);
  const { ruleset } = state.table;
  const colors = Boolean(move.color || parts(move.card).color);
  const replace = (card, color) =>
    askFirst({ kind: "replace", entry: entry.id, replacement: laid(move, card, color) }, { picture: () => instead(move.card, card, ruleset) });
  openCard(t("mend.card"), replace, colors);
}

const instead = (was, now, ruleset) =>
  h("div", { class: "instead", key: "instead" }, cardFace(was, { ruleset }), h("span", { "aria-hidden": "true" }, "→"), cardFace(now, { ruleset }));

function openOtherHand({ seat, hand, to }, entry, replace) {
  const counts = entry.ruling?.rule.startsWith("score.");
  const put = (what) => replace({ seat, move: "reveal", ...(to ? { to } : {}), ...what });
  openHand({
    title: t("asks.other-hand"),
    cards: Array.isArray(hand) ? hand : [],
    say: t("host.set"),
    done: (cards) => put({ hand: cards }),
    counted: counts ? (points) => put({ points }) : null,
    unknown: counts ? () => put({ unknown: true }) : null,
  });
}

/** A move that was missed comes before this one. */
function openInsert({ id }, first) {
  let seat = first ?? state.table.order[0];
  const insert = (more) => askFirst({ kind: "insert", entry: id, inserted: { seat, ...more } });
  const say = (move) => () =>
    move === "play" ? openCard(t("act.play"), (card, color) => insert(laid({ move, seat }, card, color))) : insert({ move });
  const options = seated(state.table).map((one) => [String(one.seat), one.name]);
  openDialog(t("mend.insert"), () => [
    selectField(t("mend.who"), options, String(seat), (value) => ((seat = Number(value)), redraw()), "who"),
    h("div", { class: "stack" }, MISSED.map((move) => button(`insert-${move}`, t(`act.${move}`), say(move)))),
  ]);
}

/** What can be set right about a round as a whole. */
function roundButtons(round, counted, result = { out: null, hands: {} }) {
  return h(
    "div",
    { class: "stack", key: "mend" },
    counted ? button("other-result", t("mend.result"), () => openOtherResult(round, result)) : null,
    counted
      ? null
      : button("other-opening", t("mend.opening"), () =>
          openOpening((opening) => askFirst({ kind: "opening", round, opening })),
        ),
    button("other-dealer", t("mend.dealer"), () => openDealer(round, counted)),
    button("break-off", t("host.break-off"), () => askFirst({ kind: "break-off", round })),
  );
}

// Cards that do not stay on top are turned up as well: all are said, the last lies on top.
function openOpening(done) {
  openHand({ title: t("mend.opening"), photo: false, say: t("host.set"), done });
}

function openDealer(round, counted) {
  const pick = (dealer) => () => askFirst({ kind: counted ? "result" : "opening", round, dealer });
  openDialog(t("deal.dealer"), () =>
    seated(state.table).map(({ seat, name }) => h("button", { class: "wide", key: seat, "data-do": `dealer-${seat}`, onclick: pick(seat) }, name)),
  );
}

/** The rounds of the game, each with what can be set right about it. */
export function rounds() {
  const all = Array.from({ length: state.table.round }, (_, i) => state.table.round - i);
  return h(
    "div",
    { class: "row" },
    all.map((round) => h("button", { key: round, "data-do": `round-${round}`, onclick: () => openRound(round) }, t("play.round", { number: round }))),
  );
}

function openRound(round) {
  let sheet = null;
  let trouble = null;
  get(`/tables/${state.table.id}/scores`, { token: readToken() }).then(
    (read) => ((sheet = read), redraw()),
    () => ((trouble = t("link.lost")), redraw()),
  );
  const counted = () => sheet.rounds.some((one) => one.round === round && one.counted);
  openDialog(t("play.round", { number: round }), () => [
    trouble ? h("p", { class: "warn" }, trouble) : null,
    sheet ? roundButtons(round, counted()) : null,
  ]);
}
