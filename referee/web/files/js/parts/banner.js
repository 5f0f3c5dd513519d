// What has just happened, in large letters.

import { cardFace, COLORS, letters, shape } from "../cards.js";
import { h, icon, style, svg } from "../dom.js";
import { actingSeat, heldSeat, ownSeat, playsFor } from "../session.js";
import { inRound, redraw, state } from "../state.js";
import { labelled, t, writtenOn } from "../texts.js";
import { isIllegal, isOutdated, isTold, openWhy, wordsOf } from "./rulings.js";

// What happens to the seats that this phone plays for, in the largest letters on the screen, until it is done or put
// away; and below it what happens to the others.

const ICONS = {
  draw: "cards",
  skipped: "skip",
  reversed: "turn",
  protected: "shield",
  "power-taken": "shield",
  "round-won": "cup",
  "game-won": "cup",
  "round-lost": "cup",
  "game-lost": "cup",
  scored: "cup",
  "hands-passed": "turn",
  swap: "turn",
  respond: "cards",
  out: "skip",
  turn: "hand",
  reveal: "eye",
  hands: "eye",
  redealt: "turn",
  redealing: "turn",
};
const TONES = { good: "check", bad: "warn", do: "hand", info: "info" };
// A banner ends with its round: these begin what is next.
const BEGINS = new Set(["round-opened", "round-counted", "game-started"]);
// What a correction's banner is about → the entry's list of those moves.
const LISTS = { undone: "fell", restored: "stands", "now-legal": "changed", "now-illegal": "changed" };
const RULED = ["fell", "stands", "changed"];
// What is called out ends nothing that hands have to do.
const CALLS = new Set(["uno", "catch"]);
// Nor do a seat's own answers end what its hands have to do.
const ANSWERS = new Set(["accept", "challenge", "color"]);
// Hands go round before their holders answer a card, or draw for it.
const ROUND = new Set(["hands-back", "hands-passed", "redealt", "redealing"]);
const HITS = new Set(["respond", "watch", "draw", "skipped"]);
// Their text is the scores, which stand below between rounds.
const SCORES = new Set(["scored", "round-lost", "game-won", "game-lost"]);
// Tones of what asks for nothing.
const NEWS = new Set(["good", "info"]);
// Whose turn it is stands at the pile as well.
const canWait = ({ tone, event }) => NEWS.has(tone) || event === "turn";
// Letters of what others hear that stand in two lines of a narrow phone; more are smaller, to leave room for the seats.
const TWO_LINES = 60;
// Sentences of what a correction that is taken back changes.
const MOST_TOLD = 3;
// What was put away by a tap, as long as the page is open.
const away = new Set();

const idOf = ({ entry, banner }) => `${state.table.id} ${entry.id} ${banner.seat}`;

/**
 * The banners of an entry that this phone tells, the first one in the largest letters: its own, else that of the seat it
 * speaks for, and what the hands of others that it plays for have to do, before what can wait.
 */
function toldHere({ banners = [] }) {
  const of = (wanted) => banners.find(({ seat }) => seat === wanted);
  // Of whoever has left nothing is wanted but the cards.
  const left = banners.find(({ seat, event }) => event === "left" && seat === heldSeat());
  const first = of(ownSeat()) ?? left ?? of(actingSeat());
  const all = banners.filter((banner) => banner === first || (playsFor(banner.seat) && banner.deed));
  return all.sort((one, two) => canWait(one) - canWait(two) || (two === first) - (one === first));
}

/**
 * The newest banner for this phone, `{entry, banner, more, old}`, with `more` of the same entry; null if it is over,
 * undone or put away. Of those before it what hands still have to do comes back until the game is over, and also before
 * one's turn and news that asks for nothing, hands that go round before a card that hits, too: `old` ones, with the news
 * below.
 */
export function bannerNow() {
  const over = state.table.state.winner !== null;
  let newest;
  const isHit = () => HITS.has(newest?.banner.event);
  const before = ({ seat, event, deed }) => deed && !over && (!isHit() || (ROUND.has(event) && seat === newest.banner.seat));
  for (const entry of [...state.entries].reverse()) {
    const told = toldHere(entry).filter((one) => newest === undefined || before(one));
    if (!told.length) continue;
    const stands = (banner) => !(entry.undone || isOutdated(entry) || isCorrected(entry, banner) || isTakenBack(entry, banner) || isOver(entry, banner) || away.has(idOf({ entry, banner })));
    const [banner, ...more] = told.filter(stands);
    if (newest?.banner.event === "hands") {
      // Cards that are still to be drawn are shown with the hand.
      if (banner?.event === "draw") return { ...newest, news: { entry, banner } };
      continue;
    }
    if (newest !== undefined && banner) return { entry, banner, more, old: true, news: newest?.banner.event === "turn" ? null : newest };
    if (newest === undefined) newest = banner ? { entry, banner, more } : null;
    if (newest && newest.banner.event !== "hands" && !canWait(newest.banner) && !isHit()) return newest;
  }
  return newest ?? null;
}

// Whether a later correction has ruled on the entry: what hands have to do for it, that one tells. Where it says how
// many cards a hand has, none are drawn for what was before.
function isCorrected({ id }, { seat, event }) {
  const counts = ({ banners = [] }) => event === "draw" && banners.some((one) => one.seat === seat && [one, ...one.parts].some(({ until }) => until === "counted"));
  return state.entries.some((one) => one.id > id && one.kind === "corrected" && (RULED.some((name) => one[name]?.some((deed) => deed.id === id)) || counts(one)));
}

// Whether later corrections have ruled otherwise on all that a correction's banner is about.
function isTakenBack(entry, { seat, event }) {
  const deeds = (entry[LISTS[event]] ?? []).filter((deed) => deed.seat === seat);
  const now = ({ id }) => state.entries.find((one) => one.id === id);
  const holds = { undone: (one) => one.undone, restored: (one) => !one.undone }[event] ?? ((one) => !one.undone && `now-${one.ruling.verdict}` === event);
  return deeds.length > 0 && deeds.every((deed) => now(deed) && !holds(now(deed)));
}

// Of a banner, or of a part of its text: a turn may go before what one's hands still have to do.
function isOver(entry, { seat, until, need, power, deed }) {
  const { round, state: now } = state.table;
  if (entry.round < round || state.entries.some(({ id, kind }) => id > entry.id && BEGINS.has(kind))) return true;
  if (until === "tap") return false;
  // What was done or counted since does not come back with the next one of its kind.
  const since = [...state.entries.filter((one) => one.id > entry.id && one.state).map((one) => one.state), now];
  if (power && since.some(({ powers }) => powers[power] !== entry.state.powers[power])) return true;
  if (need === "uno" && since.some(({ uno }) => uno.includes(seat))) return true;
  if (until === "done") return !since.every(({ awaiting }) => awaiting.some((one) => one.seat === seat && one.need === need));
  if (until === "counted") return since.some(({ hands }) => hands[seat - 1] !== entry.state.hands[seat - 1]);
  // Hands have done it before the next move, also where that is taken back.
  const later = state.entries.filter(({ id, kind, move, ruling }) => id > entry.id && kind === "moved" && !CALLS.has(move.move) && ruling.verdict === "legal");
  return until === "acted" ? later.length > 0 : later.some(({ move }) => move.seat === seat && !(deed && ANSWERS.has(move.move)));
}

/** Whether the last card has somebody draw before the hand is shown: the others may have to remind them. */
export const drawsLast = ({ event, deed }) => event === "hands" && deed;

/** Put the banner away. */
function putAway() {
  const found = bannerNow();
  if (!found) return false;
  away.add(idOf(found));
  redraw();
  return true;
}

/** The banner, and below it what happened to others. */
export function banner() {
  const found = bannerNow();
  const line = elsewhere(found);
  return [
    found ? drawn(found) : null,
    line ? h("p", { class: line.length > TWO_LINES ? "elsewhere small" : "elsewhere", key: "elsewhere" }, line) : null,
  ];
}

/** On other screens of the table: what is to be done there, in a line that leads to it. */
export function reminder() {
  const found = inRound(state.table) ? bannerNow() : null;
  if (!found || (NEWS.has(found.banner.tone) && !found.banner.deed)) return null;
  const { tone, event } = found.banner;
  return h("a", { class: `reminder ${tone}`, key: "reminder", href: `/t/${state.table.id}` }, icon(ICONS[event] ?? TONES[tone]), h("span", {}, titled(found.banner)));
}

function drawn({ entry, old, more, banner, news }) {
  const { seat, event, tone, title } = banner;
  const standing = (from, { seat: of, deed, parts = [] }) =>
    parts
      .filter((part) => !isOver(from, { seat: of, deed, ...part }))
      .map(({ title: part, text }) => ({ title: part && titled({ seat: of, title: part }, seat), text }));
  const below = (from, one) => [{ title: titled(one, seat), text: "" }, ...standing(from, one)];
  const stand = [...standing(entry, banner), ...more.flatMap((one) => below(entry, one)), ...(news ? below(news.entry, news.banner) : [])];
  const says = inRound(state.table) || !SCORES.has(event);
  const head = titled(banner);
  const close = (tap) => {
    tap.stopPropagation();
    putAway();
  };
  return h(
    "section",
    // An old one leaves room for what is to be done now, and on one's turn that is larger.
    { class: `banner ${tone}${old ? (news ? " old" : " old late") : ""}`, key: `banner-${entry.id}-${seat}`, "data-event": event, "aria-label": t("banner.label"), tabindex: "-1", onclick: putAway },
    icon(ICONS[event] ?? TONES[tone]),
    h("button", { class: "quiet square", "data-do": "put-away", "aria-label": t("banner.away"), onclick: close }, icon("close")),
    h("h2", { class: letters(head) }, head),
    says ? paragraphs(stand).map((part) => [part.title ? h("h3", {}, part.title) : null, part.text && !(old && event === "draw") ? h("p", { class: "banner-text" }, part.text) : null]) : null,
    event === "illegal"
      ? h("button", { class: "why", onclick: (tap) => (tap.stopPropagation(), openWhy(entry)) }, t("play.why"))
      : null,
    banner.deed ? h("button", { class: "why", "data-do": "done", onclick: close }, t("devices.done")) : null,
  );
}

// What has no title goes on in the paragraph before it.
function paragraphs(parts) {
  const found = [];
  for (const { title, text } of parts) {
    if (title || !found.length) found.push({ title, text });
    else found.at(-1).text += ` ${text}`;
  }
  return found;
}

// What happens to somebody whom this phone speaks for is told with the name, so that nobody takes it for their own; and
// one's own says so below what another seat, that of the heading, has to do.
function titled({ seat, event, title }, heading = seat) {
  if (seat === heldSeat()) return heading === seat || event === "turn" ? title : labelled(t("play.you"), title);
  const { name } = state.table.seats[seat - 1];
  return event === "turn" ? t("play.turn", { seat: name }) : labelled(name, title);
}

/** The newest thing that is not on this phone's own banner. */
function elsewhere(found) {
  const shown = found?.entry;
  const last = state.entries.filter((entry) => isTold(entry) && !entry.undone).at(-1);
  // Between rounds the scores say it.
  if (!last || (shown && !inRound(state.table))) return null;
  // Whose turn it is and what is awaited stands at the pile: here is what happened.
  const corrected = last.kind === "corrected";
  const here = toldHere(last);
  // What one's own banner says in the second person, the others' need not say in the third.
  const same = ({ others }) => last === shown && here.some((own) => own.others === others);
  const told = (one) => (corrected ? one.event === "now-illegal" : !same(one));
  const others = (last.banners ?? []).filter((one) => !here.includes(one) && told(one));
  const hit = others.find(drawsLast) ?? others.find(({ need }) => !need);
  const waiting = state.choices?.waiting;
  // With a banner, what others owe has no other place.
  const owed = shown && state.table.state.awaiting.some(({ seat }) => ![ownSeat(), actingSeat()].includes(seat)) ? waiting : null;
  // Who made it one's turn, and with what, is no part of the banner that says so.
  const before = found?.banner.event === "turn";
  // Whose turn it is stands at the pile.
  const words = wordsOf(last);
  const turnAlone = words.length === 1 && (last.events ?? []).some(({ event }) => event === "turn-came");
  const known = turnAlone || (last === shown && !before);
  // That a correction is taken back says nothing yet, and who leaves puts towers back, too; all that follows is in the log.
  const happened = last.voids || last.move?.move === "leave" ? words.slice(0, MOST_TOLD).join(" ") : words[0];
  // What is not allowed has a place of its own.
  const lines = isIllegal(last) ? [owed] : [last.move?.powers && hit?.event !== "discarded" ? null : hit?.others, known ? null : happened, owed];
  return lines.find((line) => line && (shown || line !== waiting)) ?? null;
}

/** What is said aloud about an entry at this phone: what happened, then what it means here. */
export function aloud(entry) {
  const words = wordsOf(entry);
  // A TV speaks to everybody.
  const own = location.pathname.startsWith("/wall/") ? [] : toldHere(entry);
  if (!own.length) return words;
  const name = (seat) => (seat === heldSeat() ? "" : `${state.table.seats[seat - 1].name}: `);
  const told = own.flatMap(({ seat, title, text }) => [name(seat) + ended(title), text]);
  const others = (entry.banners ?? []).filter((one) => !own.includes(one) && (!one.need || drawsLast(one))).map(({ others: said }) => said);
  // Why a move of one's own is wrong stands in the banner's text.
  const heard = [words[0], ...others].filter((one) => one && !told.some((two) => two.includes(one)));
  return [...new Set([...heard, ...told])].filter(Boolean);
}

const ended = (title) => (/[.!?]$/.test(title) ? title : `${title}.`);

addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !document.querySelector("dialog[open]")) putAway();
});

// What everybody looks up for: UNO, a round won, a game won. It fills the screen and goes by itself.

const SHOWN_MS = { uno: 1_600, round: 3_200, game: 4_500 };
const PIECES = 28;
let shown = null;
let seen = 0;

/** Show what has just happened, if it is a moment; what happened before one came is none. */
export function moments(here) {
  const news = state.entries.filter((one) => one.id > seen);
  if (!news.length) return;
  const first = seen === 0;
  seen = state.entries.at(-1).id;
  if (!here) return;
  // Nothing has happened yet: there is time.
  style("moment");
  if (first) return;
  const found = news.filter((one) => !one.undone).map(momentOf).filter(Boolean).at(-1);
  if (found) show(found);
}

/** Begin anew at another table. */
export function forgetMoments() {
  seen = 0;
  shown?.remove();
}

function momentOf({ events = [] }) {
  const names = (seats) => seats.map((seat) => state.table.seats[seat - 1].name).join(", ");
  const find = (name) => events.find(({ event }) => event === name);
  const game = find("game-won");
  if (game) return { kind: "game", word: names(game.seats), line: t("moment.game", { count: game.seats.length }) };
  const round = find("round-won");
  if (round) return { kind: "round", word: names([round.seat]), line: t("moment.round") };
  const uno = find("uno-called") ?? find("uno-kept");
  return uno ? { kind: "uno", word: "UNO!", line: names([uno.seat]) } : null;
}

// The words are read out from the log; this is for eyes. UNO has the colour in force and the one card that is
// left, a round the card that ended it, a game its cup.
function show({ kind, word, line }) {
  shown?.remove();
  const { top, color } = state.table.state;
  const uno = kind === "uno";
  const fall = uno ? [] : Array.from({ length: PIECES }, (_, at) => piece(at));
  const card = uno ? "wild" : kind === "round" ? top : null;
  shown = h(
    "div",
    { class: `moment of-${kind}${uno ? ` fill-${color ?? "wild"}` : ""}`, "aria-hidden": "true" },
    fall,
    h("div", { class: "moment-picture" }, card ? cardFace(card, { label: "", text: writtenOn(card) }) : icon("cup")),
    h("div", { class: "moment-said" }, h("p", { class: `moment-word ${letters(word)}` }, word), h("p", { class: `moment-line ${letters(line)}` }, line)),
  );
  const mine = shown;
  document.body.append(mine);
  setTimeout(() => mine.remove(), SHOWN_MS[kind]);
}

// Shapes of the four colours, strewn evenly by the golden ratio.
function piece(at) {
  const color = COLORS[at % COLORS.length];
  const element = svg("svg", { viewBox: "0 0 20 20", class: `piece fill-${color}` }, shape(color));
  const place = (at * 0.618) % 1;
  element.style.setProperty("--x", `${(place * 100).toFixed(1)}%`);
  element.style.setProperty("--y", `${((at * 37) % 100) - 4}vh`);
  element.style.setProperty("--wait", `${((at * 0.37) % 1).toFixed(2)}s`);
  element.style.setProperty("--turn", `${(at * 137) % 360}deg`);
  return element;
}
