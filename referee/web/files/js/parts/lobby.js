// Before the first round: the code to scan, who is there already, and the start.

import { h } from "../dom.js";
import { openPerson } from "../screens/seats.js";
import { isHost, ownSeat } from "../session.js";
import { seated, state } from "../state.js";
import { t } from "../texts.js";
import { customAsks, customCards, stillToApprove } from "./custom.js";
import { deal, openDeal } from "./deal.js";
import { dealer } from "./dealer.js";
import { keptNote } from "./groupchoice.js";
import { houseRules } from "./house.js";
import { inviteCode } from "./invite.js";
import { openResult } from "./result.js";
import { markOf } from "./teams.js";

/** The lobby; `above` stands over everything, `rules` below the house rules. */
export function lobby(above, rules) {
  const { mode, next_dealer: next, game } = state.table;
  const scoring = mode === "score";
  const starts = isHost() || (next !== null && next === ownSeat());
  const code = inviteCode();
  // For whoever is in, and once a game was played, the code is not what one looks for.
  const last = !isHost() || game > 1;
  return h(
    "div",
    { class: "lobby" },
    above,
    scoring ? null : customAsks(),
    last ? null : code,
    h("div", { class: "lobby-people" }, people(), houseRules(state.table), rules, starts && !scoring ? null : deal()),
    scoring ? null : h("div", { class: "lobby-cards" }, customCards(), dealer(), starts ? byResult() : null),
    last ? code : null,
    starts && !scoring ? start() : null,
  );
}

const byResult = () =>
  h("button", { class: "quiet wide", disabled: seated(state.table).length < 2, "data-do": "by-result", onclick: () => openResult() }, t("deal.by-result"));

function start() {
  const waits = seated(state.table).length < 2 ? t("invite.alone") : stillToApprove();
  return h(
    "div",
    { class: "start-foot" },
    waits ? h("p", { class: "small muted" }, waits) : null,
    h("button", { class: "main wide", disabled: Boolean(waits), "data-do": "deal", onclick: openDeal }, t("deal.first")),
  );
}

function people() {
  return [
    h("ul", { class: "taken", "aria-label": t("play.seats") }, seated(state.table).map(person)),
    keptNote(),
    isHost() && seated(state.table).length ? h("p", { class: "small muted" }, t("seats.hint")) : null,
  ];
}

function person({ seat, name, taken, host }) {
  const said = [
    h("span", { class: "person" }, markOf(state.table, seat), name, ownSeat() === seat ? h("span", { class: "you" }, t("play.you")) : null),
    host ? h("span", { class: "tag" }, t("home.host")) : null,
    h("span", { class: taken ? "tag here" : "tag" }, t(taken ? "invite.here" : "invite.free")),
  ];
  const content = isHost()
    ? h("button", { class: "quiet who", "data-do": `person-${seat}`, onclick: () => openPerson(seat) }, said)
    : said;
  return h("li", { key: seat }, content);
}
