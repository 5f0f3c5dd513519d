// Putting right what was entered.

import { get, post } from "../api.js";
import { cardFace, parts } from "../cards.js";
import { h, icon } from "../dom.js";
import * as outbox from "../outbox.js";
import { attempt, heldSeat, isHost, ownSeat, readToken, tokenFor, troubleOf } from "../session.js";
import { anotherBegan, notify, redraw, seated, state } from "../state.js";
import { labelled, t } from "../texts.js";
import { checkField, closeDialog, openDialog, openForm, selectField, textField } from "./dialog.js";
import { openHand } from "./hand.js";
import { cardPicker, WILD } from "./picker.js";

// A correction asks first: the server says what it would change, and only then it is made.

// Entries with which somebody acts: after another's, one's own cannot be taken back any more.
const ACTS = new Set(
  "round-opened round-counted moved confirmed corrected answered seats-changed game-ended game-started".split(" "),
);

/** The entry that this phone's player may take back: the last, nobody else having acted since. */
export function ownLast() {
  const seat = ownSeat();
  if (!seat) return null;
  for (const entry of [...state.entries].reverse().filter(({ kind }) => ACTS.has(kind))) {
    const { role, seat: by } = entry.by;
    // A device acts for the seat whose move it saw.
    const actor = role === "device" ? (entry.move ?? entry.entered)?.seat : role === "seat" ? by : 0;
    if (actor === undefined) continue;
    if (actor !== seat) return null;
    if (["moved", "round-opened"].includes(entry.kind) && !entry.undone) return entry;
  }
  return null;
}

const lastAct = () => state.entries.filter(({ kind }) => ACTS.has(kind)).at(-1);

/** Whether the last that anybody did is a correction, which can be taken back. */
export function lastIsCorrection() {
  const last = lastAct();
  return last !== undefined && last === lastCorrection();
}

/** A slip of the finger is put right by whoever made it, as long as nobody else has acted; null if there is none. */
export function takeBack() {
  if (!ownLast()) return null;
  const ask = () => askFirst({ kind: "undo" }, { seat: ownSeat() });
  return h("button", { class: "quiet", key: "take-back", "data-do": "take-back", onclick: ask }, icon("undo"), t("host.take-back"));
}

// What it changes: to whoever takes their own entry back in the second person, with a word about each of the others.
function toldTo(seat, { announcements, banners = [] }) {
  const own = banners.find((one) => one.seat === seat);
  if (!own?.text) return announcements;
  const others = banners.filter((one) => one !== own);
  return [own.title, own.text, ...others.map((one) => labelled(state.table.seats[one.seat - 1].name, one.title))];
}

/**
 * Say what a correction changes and ask whether to make it: as the host, or for the `seat` that
 * takes its own entry back. `mayGoOn`: everything since may be undone with it. `picture()` stands above
 * what it changes.
 */
export function askFirst(body, { seat = null, mayGoOn = false, picture = () => null } = {}) {
  const table = state.table.id;
  // What names no entry is meant for the newest, which is another one once somebody has acted.
  const newest = ["undo", "redo"].includes(body.kind) && body.entry === undefined;
  let since = false;
  let said = null;
  let trouble = null;
  let seen = null;
  let acted = null;
  let latest = null;
  const change = () => (since ? { ...body, since: true } : body);

  async function preview() {
    said = trouble = null;
    seen = state.table;
    acted = lastAct()?.id;
    redraw();
    const asked = (latest = {});
    const options = { token: tokenFor(seat), query: { preview: true } };
    try {
      const entry = await post(`/tables/${table}/corrections`, change(), options);
      if (asked === latest) said = toldTo(seat, entry);
    } catch (error) {
      if (asked === latest) trouble = troubleOf(error);
    }
    redraw();
  }

  const make = (close) => () => {
    close();
    notify(null);
    // What a camera or a phone has entered since does not hold it up.
    const now = state.entries.at(-1)?.id >= state.table.version ? state.table : seen;
    outbox.send({ method: "POST", path: "/corrections", body: change(), seat, label: body.kind, seen: newest ? now : seen, means: newest ? "version" : "all" });
  };
  const goOn = (checked) => {
    since = checked;
    preview();
  };
  const over = () => newest && lastAct()?.id !== acted;
  const render = (close) => [
    picture(),
    said?.map((text) => h("p", { class: "said" }, text)),
    trouble ? h("p", { class: "warn" }, trouble) : null,
    mayGoOn
      ? checkField(t("host.since"), since, goOn, { "data-do": "since" })
      : null,
    h(
      "div",
      { class: "stack sheet-foot" },
      trouble ? null : h("button", { class: "main", key: "make", "data-do": "make", disabled: !said, onclick: make(close) }, t("host.make")),
      h("button", { key: "leave", "data-do": "leave", onclick: close }, t("host.leave")),
    ),
  ];
  preview();
  openDialog(t("host.changes"), (close) => (lastAct()?.id !== acted && preview(), render(close)), { over });
}

// Setting an entry of the log right: another card, a move that was missed, another start of a round.

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
const lastCorrection = () => state.entries.filter((one) => one.kind === "corrected" && !one.undone && one.change?.kind !== "redo").at(-1);

const isLastCorrection = (entry) => lastCorrection()?.id === entry.id;

/** A button that takes the last correction back, and says which that is where nothing else does; null if there is none. */
export function redo(named = true) {
  const last = lastCorrection();
  if (!last) return null;
  const [said] = last.announcements ?? [];
  const picture = () => (said ? h("p", { key: "taken-back" }, h("strong", {}, t("host.redo")), ": ", h("s", {}, said)) : null);
  const text = h("span", {}, t("host.redo"), named && said ? h("small", { class: "what" }, said) : null);
  return button("redo", text, () => askFirst({ kind: "redo" }, { picture }));
}

const moveOf = (entry) => entry.move ?? entry.change?.replacement ?? entry.change?.inserted;

/** Whether the host can say that it was another card. */
export const hasCard = (entry) => canMend(entry) && ["play", "flip"].includes(moveOf(entry)?.move);

/** A button for each way to set an entry right. */
export function mendButtons(entry) {
  const { id, round, kind } = entry;
  if (kind === "round-opened") return roundButtons(round, false);
  if (kind === "round-counted") return roundButtons(round, true, entry.result);
  if (kind === "corrected" && !entry.entered) return h("div", { class: "stack", key: "mend" }, redo(false));
  const move = moveOf(entry);
  const replace = (replacement) => askFirst({ kind: "replace", entry: id, replacement });
  const verdict = entry.ruling?.verdict === "legal" ? "illegal" : "legal";
  return h(
    "div",
    { class: "stack", key: "mend" },
    button("undo", [icon("undo"), t("host.undo-this")], () => askFirst({ kind: "undo", entry: id }, { mayGoOn: true })),
    hasCard(entry) ? button("other-card", t("mend.card"), () => openOtherCard(entry)) : null,
    numberIn(move) ? button("other-number", t("mend.number"), () => openOtherNumber(move, replace)) : null,
    move?.move === "reveal" ? button("other-hand", t("asks.other-hand"), () => openOtherHand(move, entry, replace)) : null,
    button("insert", t("mend.insert"), () => openInsert(entry, move?.seat)),
    isLastCorrection(entry) ? redo(false) : null,
    entry.ruling ? button("overrule", t(`host.overrule-${verdict}`), () => askFirst({ kind: "overrule", verdict, entry: id })) : null,
  );
}

const button = (name, text, onclick) => h("button", { key: name, "data-do": name, onclick }, text);

// What was chosen with the card before does not belong to another one.
function laid({ seat, move, uno }, card, color) {
  return { seat, move, card, ...(color ? { color } : {}), ...(uno ? { uno } : {}) };
}

/** Ask for a card; `done(card, color)`. `colors`: a wild's colour is said with it; `first`: the colour to begin with. */
function openCard(title, done, { colors = true, first = null } = {}) {
  const { ruleset } = state.table;
  const pick = (card, { color }) => {
    closeDialog();
    done(card, color);
  };
  const picker = cardPicker({ ruleset, colors, first, pick });
  openDialog(title, () => picker());
}

/** The card of an entry as it should have been; the colour of a wild that was named later stays its own entry. */
export function openOtherCard(entry) {
  const move = moveOf(entry);
  const { ruleset } = state.table;
  const { color } = parts(move.card);
  const colors = Boolean(move.color || color);
  const replace = (card, color) =>
    askFirst({ kind: "replace", entry: entry.id, replacement: laid(move, card, color) }, { picture: () => instead(move.card, card, ruleset) });
  openCard(t("mend.card"), replace, { colors, first: color ?? WILD });
}

const instead = (was, now, ruleset) =>
  h("div", { class: "instead", key: "instead" }, cardFace(was, { ruleset }), h("span", { "aria-hidden": "true" }, "→"), cardFace(now, { ruleset }));

// The field of a move that says of how many cards it is.
const numberIn = (move) => ["count", "drawn"].find((name) => Number.isInteger(move?.[name]));

function openOtherNumber(move, replace) {
  const name = numberIn(move);
  let number = String(move[name]);
  const field = { id: "other-number", type: "number", inputmode: "numeric", min: 0, required: true, value: number, oninput: (event) => (number = event.target.value) };
  openForm(t("mend.number"), () => textField(t("host.cards"), field), {
    say: t("host.set"),
    // The question what it changes takes the place of this sheet.
    send: async () => (replace({ ...move, [name]: Number(number) }), ""),
  });
}

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

// A round by its result: who went out, and what everybody else holds, as points or as cards.

let draft = { of: null };

/** An entry form for the round that was played: the screen of a table that only keeps score. */
export function resultPanel() {
  const { id, game, round } = state.table;
  const of = [id, game, round].join(" ");
  if (draft.of !== of) draft = { of, over: anotherBegan(), ...begun() };
  const now = draft;
  const send = async (event) => {
    event.preventDefault();
    now.busy = true;
    redraw();
    now.trouble = await attempt("POST", "/rounds", { result: resultOf(now) }, isHost() ? null : heldSeat(), now.over);
    now.busy = false;
    // Where another phone has entered the round meanwhile, the form is that of the next one.
    if (draft !== now) notify(now.trouble, "info");
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
export function openResult(now = { over: anotherBegan(), ...begun() }) {
  const send = () => attempt("POST", "/rounds", { result: resultOf(now) }, isHost() ? null : heldSeat(), now.over);
  now.back = () => openResult(now);
  openForm(t("deal.by-result"), () => fields(now), { say: t("result.enter"), send, ready: () => complete(now), over: now.over });
}

/** A sheet that changes the result of a round; `given` is what was entered. */
function openOtherResult(round, given, now = begun(given)) {
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

// Those whose hands count, once it is known who has gone out.
function others({ out }) {
  const { seats } = state.table;
  return out === null ? [] : seats[out - 1].counted_hands.map((seat) => seats[seat - 1]);
}

function valueOf({ points = "", cards, unknown } = {}) {
  if (cards) return cards;
  if (unknown) return null;
  return /^\d+$/.test(points.trim()) ? Number(points) : undefined;
}

// Whose hand has not been entered yet.
const missing = (now) => others(now).filter(({ seat }) => valueOf(now.hands[seat]) === undefined);

const complete = (now) => now.out !== null && !missing(now).length;

function resultOf(now) {
  return { out: now.out, hands: Object.fromEntries(others(now).map(({ seat }) => [seat, valueOf(now.hands[seat])])) };
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
    others(now).length ? [h("p", { class: "ask", key: "left" }, t("result.left")), others(now).map((one) => hand(now, one))] : null,
    now.out !== null && !complete(now)
      ? h("p", { class: "muted", key: "missing", "data-do": "missing" }, t("result.missing", { seats: missing(now).map(({ name }) => name).join(", ") }))
      : null,
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
