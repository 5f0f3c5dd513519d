// Before a round: who is there, cards of the table, who deals, the start.

import { get, post } from "../api.js";
import { cardFace } from "../cards.js";
import { h, icon } from "../dom.js";
import { keptNote } from "../groups.js";
import * as outbox from "../outbox.js";
import { openPerson } from "../screens/seats.js";
import { hasLeft, isHost, ownSeat, readToken, refresh, tokenFor, troubleOf } from "../session.js";
import { anotherBegan, redraw, seated, state } from "../state.js";
import { t, word } from "../texts.js";
import { openResult, resultPanel } from "./corrections.js";
import { closeDialog, openDialog, selectField } from "./dialog.js";
import { houseRules } from "./house.js";
import { inviteCode } from "./invite.js";
import { cardPicker } from "./picker.js";
import { again, markOf } from "./podium.js";

// Before the first round: the code to scan, who is there already, and the start.

/** The lobby; `above` stands over everything, `rules` below the house rules. */
export function lobby(above, rules) {
  const { mode, game } = state.table;
  const scoring = mode === "score";
  const mayStart = starts();
  const code = inviteCode();
  // For whoever is in, and once a game was played, the code is not what one looks for.
  const last = !isHost() || game > 1;
  return h(
    "div",
    { class: "lobby" },
    above,
    scoring ? null : customAsks(),
    last ? null : code,
    h("div", { class: "lobby-people" }, people(), houseRules(state.table), rules, mayStart && !scoring ? null : deal()),
    scoring ? null : h("div", { class: "lobby-cards" }, customCards(), dealer(), mayStart ? byResult() : null),
    last ? code : null,
    mayStart && !scoring ? start() : null,
  );
}

const byResult = () =>
  h("button", { class: "quiet wide", disabled: seated(state.table).length < 2, "data-do": "by-result", onclick: () => openResult() }, t("deal.by-result"));

function start() {
  const waits = seated(state.table).length < 2 ? t("invite.alone") : stillToApprove();
  return h(
    "div",
    { class: "start-foot" },
    yours() ? h("p", { class: "ask" }, yours()) : null,
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

function person({ seat, name, taken, heard, host }) {
  const said = [
    h("span", { class: "person" }, markOf(state.table, seat), name, ownSeat() === seat ? h("span", { class: "you" }, t("play.you")) : null),
    host ? h("span", { class: "tag" }, t("home.host")) : null,
    heard || !taken ? h("span", { class: taken ? "tag here" : "tag" }, t(taken ? "invite.here" : "invite.free")) : null,
  ];
  const content = isHost()
    ? h("button", { class: "quiet who", "data-do": `person-${seat}`, onclick: () => openPerson(seat) }, said)
    : said;
  return h("li", { key: seat }, content);
}

// Cards that the table writes itself: proposed by somebody, approved by everybody else.

const MOST = 3;
let deck = null;

const open = () => state.table.custom_cards.filter(({ missing }) => missing.length);
const nameOf = (seat) => state.table.seats[seat - 1].name;
/** The names of seats, this phone's own as *you*. */
export const listed = (seats) => seats.map((seat) => (seat === ownSeat() ? t("play.you") : nameOf(seat))).join(", ");

/** The cards that wait for somebody, where nobody overlooks them: the round cannot begin before. Then who refused one. */
const customAsks = () => [...open().map(card), ...refusals()];

// Until somebody proposes another card; whoever refused it knows.
function refusals() {
  const { entries } = state;
  const since = entries.findLastIndex(({ kind }) => ["custom-proposed", "game-started"].includes(kind));
  const refused = entries
    .slice(since + 1)
    .filter(({ kind, why, seat }) => kind === "custom-withdrawn" && why === "refused" && seat !== ownSeat());
  return refused.map(({ id, announcements: [text] }) =>
    h("div", { class: "ask-card", key: `refused-${id}`, role: "status" }, h("p", { class: "ask" }, icon("close"), text)),
  );
}

/** Of the seats that have to answer, those for which this phone does: one's own first, and the host's for those without a phone. */
export function answering(waiting) {
  const mine = ownSeat();
  const others = isHost() ? waiting.filter((seat) => seat !== mine && !state.table.seats[seat - 1].taken) : [];
  return [...waiting.filter((seat) => seat === mine), ...others];
}

/** The buttons for what all have to answer, one's own large. */
export function answers(waiting, { yes, no, what = "", send: answer }) {
  return answering(waiting).map((seat) => {
    const own = seat === ownSeat();
    return h(
      "div",
      { class: own ? "answers" : "answers other", key: `answer-${seat}`, role: "group", "aria-label": nameOf(seat) },
      own ? null : h("p", { class: "small" }, nameOf(seat)),
      h("button", { class: own ? "main" : "", "data-do": `approve-${what}${seat}`, onclick: () => answer(seat, true) }, own ? icon("check") : null, yes),
      h("button", { "data-do": `refuse-${what}${seat}`, onclick: () => answer(seat, false) }, own ? icon("close") : null, no),
    );
  });
}

/** Who still has to approve of a card, as a line; null if nobody has. */
function stillToApprove() {
  const seats = [...new Set(open().flatMap(({ missing }) => missing))];
  return seats.length ? t("custom.missing", { seats: listed(seats) }) : null;
}

/** The cards approved so far, and the way to propose one; null for a deck without them. */
function customCards() {
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
  const own = seat !== null && seat === ownSeat();
  const by = seat === null ? t("custom.by-host") : own ? t("custom.by-own") : t("custom.by", { seat: nameOf(seat) });
  const answer = (one, approve) => send("POST", `/${id}/approvals`, { seat: one, approve }, one);
  return h(
    "div",
    { class: "ask-card", key: `custom-${id}`, role: "group", "aria-label": said.text },
    missing.length ? h("p", { class: "small" }, by) : null,
    h("p", { class: "ask" }, said.text),
    h("p", { class: "muted" }, missing.length ? t("custom.missing", { seats: listed(missing) }) : t("custom.approved")),
    answers(missing, { yes: t("custom.approve"), no: t("custom.refuse"), send: answer }),
    own || isHost() ? h("button", { class: "quiet", onclick: () => send("DELETE", `/${id}`, undefined, seat) }, t("custom.withdraw")) : null,
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

// Finding the dealer: everybody draws a card, the highest number deals, ties draw again.

/** Who has drawn what so far, and the next draw, as long as nobody deals yet. */
export function dealer() {
  const { seats, ruleset, round, deal_draws: draws } = state.table;
  if (round) return null;
  const name = (seat) => seats[seat - 1].name;
  const due = toDraw();
  return h(
    "section",
    { class: "stack", key: "dealer" },
    draws.dealer && !yours() ? h("p", { class: "ask" }, t("deal.found", { seat: name(draws.dealer) })) : null,
    draws.tied.length && !draws.dealer ? h("p", {}, t("deal.tied", { seats: draws.tied.map(name).join(", ") })) : null,
    draws.drawn.length
      ? h("ul", { class: "draws" }, draws.drawn.map(({ seat, card }) => h("li", { key: seat }, h("span", {}, name(seat)), cardFace(card, { ruleset, small: true }))))
      : null,
    !draws.dealer && due.length ? h("button", { "data-do": "draw-for-deal", onclick: () => openDraw(due[0]) }, t("deal.draw", { seat: name(due[0]) })) : null,
  );
}

/** The seats whose card this phone may say: one's own, and for a host everybody's. */
function toDraw() {
  const { deal_draws: draws } = state.table;
  const drawn = draws.drawn.map((one) => one.seat);
  const all = draws.tied.length ? draws.tied : seated(state.table).map((one) => one.seat);
  return all.filter((seat) => !drawn.includes(seat) && (isHost() || seat === ownSeat()));
}

function openDraw(seat) {
  const { ruleset, seats } = state.table;
  const pick = (card) => {
    closeDialog();
    const body = { draws: [{ seat, card }] };
    outbox.send({ method: "POST", path: "/deal-draws", body, seat, label: "deal-draw" });
  };
  const picker = cardPicker({ ruleset, pick });
  openDialog(t("deal.draw", { seat: seats[seat - 1].name }), () => picker());
}

// Beginning a round: who deals, and which card was turned up.

// Cards that everybody is dealt, where the table has settled nothing else.
const HAND = 7;

const deals = () => state.table.next_dealer !== null && state.table.next_dealer === ownSeat();

// Hosts do, and whoever deals next.
const starts = () => isHost() || deals();

// What whoever deals has to do.
const yours = () => (deals() ? t("deal.found-own", { count: state.table.options.hand_size ?? HAND }) : null);

// At a club's table the organiser enters results, on another page.
const waitsFor = (mode, tournament) => (mode !== "score" ? t(tournament ? "deal.wait-club" : "deal.wait") : tournament ? null : t("deal.wait-result"));

/** What there is to say before the next round; the others are told to wait, and, if `named`, who deals. */
export function deal(named = false) {
  const { state: now, mode, next_dealer: next, seats, options, tournament } = state.table;
  if (now.winner !== null) return null;
  // Whoever has left reads that alone.
  if (!starts()) {
    const told = [named && next ? t("deal.found", { seat: seats[next - 1].name }) : null, waitsFor(mode, tournament)].filter(Boolean);
    return hasLeft() || !told.length ? null : h("p", { class: "muted" }, told.join(" "));
  }
  if (mode === "score") return resultPanel();
  return h(
    "section",
    { class: "deal", key: "deal" },
    h("p", { class: "muted" }, t("deal.hint", { count: options.hand_size ?? HAND })),
    h("button", { class: "quiet wide", "data-do": "by-result", onclick: () => openResult() }, t("deal.by-result")),
  );
}

/** What is next, in reach of the thumb: the next round, or another game. */
export function dealFoot() {
  const { state: now, mode } = state.table;
  const next =
    now.winner !== null
      ? again()
      : starts() && mode !== "score"
        ? h("button", { class: "main wide", "data-do": "deal", onclick: openDeal }, t("deal.next"))
        : null;
  return next ? h("div", { class: "start-foot", key: "start-foot" }, next) : null;
}

/** Ask who deals and what was turned up, and begin. */
function openDeal() {
  const { ruleset, next_dealer: next, id } = state.table;
  let dealer = next ?? seated(state.table)[0].seat;
  let opening = [];
  let trouble = null;
  let busy = false;
  const pick = (card) => ((opening = [...opening, card]), (trouble = null), redraw());
  const picker = cardPicker({ ruleset, pick });
  const options = seated(state.table).map(({ seat, name }) => [String(seat), name]);

  async function start(close) {
    busy = true;
    redraw();
    try {
      await post(`/tables/${id}/rounds`, { opening, dealer }, { token: isHost() ? tokenFor(null) : readToken() });
      close();
      await refresh();
    } catch (error) {
      trouble = troubleOf(error);
    }
    busy = false;
    redraw();
  }

  const began = anotherBegan();
  const render = (close) => [
    selectField(t("deal.dealer"), options, String(dealer), (seat) => ((dealer = Number(seat)), redraw()), "dealer"),
    h("p", {}, opening.length ? t("deal.turned-up") : t("deal.turn-up")),
    h("div", { class: "hand" }, opening.map((card) => cardFace(card, { ruleset, small: true }))),
    trouble ? h("p", { class: "warn", role: "alert" }, trouble) : null,
    opening.length
      ? h(
          "div",
          { class: "row" },
          h("button", { onclick: () => ((opening = opening.slice(0, -1)), redraw()) }, t("deal.not-this")),
          h("button", { class: "main", disabled: busy, "data-do": "start", onclick: () => start(close) }, t("deal.start", { card: word(ruleset, "cards", opening.at(-1)) })),
        )
      : null,
    opening.length && !trouble ? null : picker(),
  ];
  openDialog(t("deal.title"), render, { over: () => !busy && began() });
}
