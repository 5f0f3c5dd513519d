// The table: before the first round who sits where, then the game, and between rounds the scores.

import { h, style } from "../dom.js";
import { asks } from "../parts/asks.js";
import { banner, bannerNow } from "../parts/banner.js";
import { actions, acts } from "../parts/choices.js";
import { takeBack } from "../parts/corrections.js";
import { deal, dealFoot, lobby } from "../parts/lobby.js";
import { selectField, later } from "../parts/dialog.js";
import { gone } from "../parts/mine.js";
import { pile, scoreLine, seats } from "../parts/table.js";
import { isIllegal, isTold, log, openWhy, verdict, wordsOf } from "../parts/rulings.js";
import { hasLeft, isHost, ownSeat, speakFor } from "../session.js";
import { inRound, redraw, roundOf, seated, state } from "../state.js";
import { t } from "../texts.js";

// As css/table.css has it.
const wide = matchMedia("(min-width: 60rem)");
const low = matchMedia("(orientation: landscape) and (max-height: 34rem)");
for (const one of [wide, low]) one.addEventListener("change", redraw);

const between = later(() => import("../between/approval.js"));
const tournament = later(async () => (await Promise.all([import("../parts/tournament.js"), style("club")]))[0]);
const atClub = () => (state.table.tournament ? (tournament()?.tournamentPanel() ?? null) : null);

export const play = {
  path: "/t/:table",
  moments: true,
  needsTable: true,
  title: () => (state.table?.round && state.table.state.winner === null ? roundOf(state.table) : t("play.title")),
  back: () => "/",
  tab: { icon: "table", label: "nav.table" },
  foot: () => (state.table && acts() ? [above(), actions()] : null),
  render: () => {
    const { round } = state.table;
    const house = between();
    if (!round) return lobby([atClub(), asks(), house?.approval() ?? null, gone()], house?.changeRules() ?? null);
    const over = !inRound(state.table);
    const proposed = over ? (house?.approval() ?? null) : null;
    // A question to this phone is not looked for.
    const first = proposed && house.mustAnswer();
    const board = h(
      "div",
      { class: "board" },
      h("div", { class: "board-pile" }, over ? scoreLine() : pile(), latest()),
      h("div", { class: "board-act" }, atClub(), asks(), gone(), over ? [first ? null : proposed, deal(true), house?.changeRules() ?? null, takeBack()] : watching()),
      h("div", { class: "board-seats" }, over || (acts() && low.matches) ? null : seats(), over || !isHost() ? null : speaker()),
      h("div", { class: "board-said" }, acts() && wide.matches && !low.matches ? null : log()),
    );
    return [first ? proposed : null, banner(), board, over ? dealFoot() : null];
  },
};

// Beside the table there is room above what one does: on a low screen for the seats, else for the log.
function above() {
  if (low.matches) {
    queueMicrotask(bringTurn);
    return h("div", { class: "foot-seats", key: "foot-seats" }, seats());
  }
  return wide.matches ? h("div", { class: "foot-log", key: "foot-log" }, log()) : null;
}

// Where the seats do not all fit, the one on turn is whole in view, once each turn: then whoever scrolls is left alone.
let brought = null;

function bringTurn() {
  const seat = document.querySelector(".foot-seats .on-turn");
  if (seat && seat !== brought) seat.scrollIntoView({ block: "nearest" });
  brought = seat;
}

/** The newest ruling where it cannot be overlooked, as long as it says that something is wrong. */
function latest() {
  const last = state.entries.filter(isTold).at(-1);
  if (!last || !isIllegal(last) || bannerNow()?.entry === last) return null;
  return h(
    "section",
    { class: "wrong", "aria-label": t("play.illegal") },
    verdict(last),
    wordsOf(last).map((text) => h("p", {}, text)),
    h("button", { class: "why", onclick: () => openWhy(last) }, t("play.why")),
  );
}

function watching() {
  if (hasLeft() || isHost() || ownSeat() !== null) return null;
  return h("p", { class: "muted", key: "watching" }, t("play.watching"));
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
