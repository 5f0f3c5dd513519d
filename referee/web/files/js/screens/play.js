// The table: before the first round who sits where, then the game, and between rounds the scores.

import { h } from "../dom.js";
import { icon } from "../icons.js";
import { asks } from "../parts/asks.js";
import { tournamentPanel } from "../parts/tournament.js";
import { choicesPanel, openPlay } from "../parts/choices.js";
import { askFirst, ownLast } from "../parts/corrections.js";
import { customCards } from "../parts/custom.js";
import { deal } from "../parts/deal.js";
import { dealer } from "../parts/dealer.js";
import { selectField } from "../parts/fields.js";
import { invite } from "../parts/invite.js";
import { gone } from "../parts/mine.js";
import { pile } from "../parts/pile.js";
import { isIllegal, isTold, openWhy, rulings, verdict, wordsOf } from "../parts/rulings.js";
import { scoreLine } from "../parts/scoreline.js";
import { seats } from "../parts/seats.js";
import { actingSeat, hasLeft, isHost, ownSeat, speakFor } from "../session.js";
import { inRound, seated, state } from "../state.js";
import { t } from "../texts.js";

export const play = {
  path: "/t/:table",
  needsTable: true,
  title: () => (state.table?.round ? t("play.round", { number: state.table.round }) : t("play.title")),
  back: () => "/",
  tab: { icon: "table", label: "nav.table" },
  render: () => {
    const { round, mode } = state.table;
    const cards = mode === "score" ? null : [customCards(), dealer()];
    if (!round) return h("div", { class: "lobby" }, tournamentPanel(), asks(), gone(), complete() ? [cards, deal(), invite()] : [invite(), cards, deal()]);
    const over = !inRound(state.table);
    return h(
      "div",
      { class: "board" },
      h("div", { class: "board-pile" }, over ? scoreLine() : pile(), latest()),
      h("div", { class: "board-act" }, tournamentPanel(), asks(), gone(), over ? deal() : controls(), takeBack()),
      h("div", { class: "board-seats" }, over ? null : seats(), over || !isHost() ? null : speaker()),
      h("div", { class: "board-said" }, rulings()),
    );
  },
};

// Once everybody is there, or has played a game already, the code is not what one looks for.
const complete = () => state.table.game > 1 || seated(state.table).every(({ taken }) => taken);

/** The newest ruling where it cannot be overlooked, as long as it says that something is wrong. */
function latest() {
  const last = state.entries.filter(isTold).at(-1);
  if (!last || !isIllegal(last)) return null;
  return h(
    "section",
    { class: "wrong", "aria-label": t("play.illegal") },
    verdict(last),
    wordsOf(last).map((text) => h("p", {}, text)),
    h("button", { class: "why", onclick: () => openWhy(last) }, t("play.why")),
  );
}

function controls() {
  if (hasLeft() && !isHost()) return null;
  if (!isHost() && ownSeat() === null) return h("p", { class: "muted" }, t("play.watching"));
  return [stand(), choicesPanel(), other()];
}

/** For whom the buttons are, where that is not oneself. */
function stand() {
  const seat = actingSeat();
  if (!seat || seat === ownSeat()) return null;
  return h("p", { class: "muted" }, t("play.acting", { seat: state.table.seats[seat - 1].name }));
}

// A slip of the finger is put right by whoever made it, as long as nobody else has acted.
function takeBack() {
  const mine = ownLast();
  if (!mine) return null;
  const ask = () => askFirst({ kind: "undo" }, { seat: ownSeat() });
  return h("button", { class: "quiet", key: "take-back", "data-do": "take-back", onclick: ask }, icon("undo"), t("host.take-back"));
}

// A host may speak for whoever has no phone.
function speaker() {
  const { state: now } = state.table;
  const mine = ownSeat();
  const options = seated(state.table).map(({ seat, name }) => [
    String(seat),
    t(now.turn === seat ? "play.for-on-turn" : seat === mine ? "play.for-me" : "play.for", { seat: name }),
  ]);
  const auto = [["", t("play.for-auto")], ...options];
  return selectField(t("play.speak-for"), auto, String(state.acting ?? ""), (seat) => speakFor(Number(seat) || null), "speak-for");
}

// What the rules do not allow happens too, and then the referee has to hear of it.
function other() {
  const may = state.choices?.choices.some((one) => one.kind === "play");
  if (may || !actingSeat()) return null;
  return h("button", { class: "quiet", "data-do": "other", onclick: () => openPlay({ seat: actingSeat() }) }, t("play.other"));
}
