// The table that this phone is at: reading it, following it, and who speaks for whom.

import { call, get, newKey, Problem, follow, recent } from "./api.js";
import { parts } from "./cards.js";
import { keepPlace, place, read, write } from "./kept.js";
import * as outbox from "./outbox.js";
import { lookWhoAsks } from "./parts/asking.js";
import { resumeBoard } from "./owndevices.js";
import { signal, tappedByFinger } from "./phone.js";
import { change, notify, seated, state } from "./state.js";
import { language, learnDeck, learnOwn, t } from "./texts.js";

const SHOWN = 40;
// How many entries are kept: more, once somebody has looked further back.
let kept = SHOWN;
let current = null;
let stream = null;
let reading = null;
let again = false;

/** Be at a table; nothing happens if this is where one is already. */
export async function sitDown(id) {
  if (current === id) return;
  leave();
  current = id;
  kept = SHOWN;
  outbox.start(id, { token: tokenFor, fresh: refresh });
  change({ acting: null, link: "connecting", ...seenLast(id) });
  await begin(id);
}

// What was seen last is shown until the server answers.
function seenLast(id) {
  const seen = read("seen", null);
  if (seen?.table.id !== id) return {};
  learnDeck(seen.table.ruleset).then(() => change({}), () => {});
  return { table: seen.table, entries: seen.entries };
}

async function begin(id) {
  try {
    const token = readToken();
    const table = await get(`/tables/${id}`, { token });
    await learnDeck(table.ruleset);
    const entries = await recent(id, token, table.version, SHOWN);
    if (current !== id) return;
    remember(table);
    change({ table, entries: ruled(entries), link: "live" });
    resumeBoard(id);
    stream = follow(id, token, table.version, {
      entry: take,
      link: (link) => change({ link }),
      pairings: lookWhoAsks,
      over: () => change({ link: "over" }),
    });
    await Promise.all([refresh(), checkHost(id)]);
  } catch (error) {
    if (current !== id) return;
    const gone = error instanceof Problem && [401, 403, 404].includes(error.status);
    change({ link: gone ? "over" : "lost" });
    if (!gone) setTimeout(() => current === id && !stream && begin(id), 2_000);
  }
}

// Another host may have taken a host's token back; a seat of this phone stays.
async function checkHost(id) {
  const token = place(id).host;
  if (!token) return;
  try {
    await get(`/tables/${id}/tokens/self`, { token });
  } catch (error) {
    if (!(error instanceof Problem && error.status === 401)) return;
    keepPlace(id, { host: null });
    change({});
  }
}

// No entry tells that a phone is no longer heard of, so the table is read now and then; and a host's phone with a seat is
// heard of as the host's by nothing else.
const LOOK_MS = 60_000;
setInterval(() => stream && (refresh(), checkHost(current)), LOOK_MS);

// Names, places and deck may change while one sits there.
function remember(table) {
  const { id, ruleset, order, options, custom_cards: proposed } = table;
  // Those in the game, and before it those that are proposed.
  const own = options.custom_cards?.length ? options.custom_cards : proposed.map(({ card }) => card);
  learnOwn(own.map(({ text }) => text));
  // As they sit, and which of the chairs is this phone's, counted from 1.
  const names = seated(table).map((seat) => seat.name);
  const known = place(id);
  const chair = order.indexOf(known.seat?.seat) + 1;
  if (known.ruleset !== ruleset || known.chair !== chair || known.seats?.join() !== names.join()) keepPlace(id, { ruleset, chair, seats: names });
}

/** Leave the table's screens; the place stays. */
export function leave() {
  stream?.stop();
  stream = null;
  current = null;
  outbox.stop();
  learnOwn(null);
  change({ table: null, choices: null, entries: [], acting: null, link: "live", notice: null });
}

function take(entry) {
  const { table } = state;
  const others = marked(state.entries.filter((one) => one.id !== entry.id), entry);
  const entries = newest([...ruledAnew(others, entry), entry]);
  const newer = entry.id > table.version;
  const now = newer && entry.state ? { ...table, round: entry.round ?? table.round, state: entry.state, version: entry.id } : table;
  if (newer && !isOwn(entry)) overtook.push({ at: Date.now(), before: table });
  change({ entries, table: now, ...spokenFor(table, now) });
  if (entry.kind === "token-revoked") checkHost(table.id);
  // On whatever screen its player is.
  if (newer && entry.kind === "host-made" && entry.seat === heldSeat()) notify(t("seats.you-host"), "info");
  if (["host-made", "device-registered"].includes(entry.kind)) refresh().then(lookWhoAsks);
  signal(entry, table.state, now.state, actingSeat());
  refresh();
}

// Where something new is asked of the host's own seat, whoever was chosen to be spoken for until then waits.
const spokenFor = (before, after) => (ownNeeds(after).some((need) => !ownNeeds(before).includes(need)) ? { acting: null } : {});
const ownNeeds = (table) => table.state.awaiting.filter(({ seat }) => seat === ownSeat()).map(({ need }) => need);

// What a camera saw is the first to go: it must not push out the moves.
function newest(entries) {
  const stays = new Set([...entries.slice(-kept), ...entries.filter(({ kind }) => kind !== "observed").slice(-kept)]);
  return entries.filter((one) => stays.has(one));
}

/** Show what happened before that, too. */
export async function lookBack() {
  const first = state.entries[0]?.id ?? 1;
  try {
    const before = await recent(current, readToken(), first - 1, SHOWN);
    const older = before.filter((one) => one.id < state.entries[0].id);
    kept += SHOWN;
    change({ entries: ruled([...older, ...state.entries]) });
  } catch (error) {
    notify(error instanceof Problem ? error.message : t("link.lost"));
  }
}

// The entries, with what a correction undid or restored marked as such.
function marked(entries, correction) {
  const { id, voids } = correction;
  return entries.map((one) => {
    if (one.id === voids || named(correction, "fell", one)) return { ...one, undone: id };
    return named(correction, "stands", one) ? { ...one, undone: undefined } : one;
  });
}

/** Entries with the rulings that corrections have changed as they stand now. */
const ruled = (entries) => entries.filter(({ kind }) => kind === "corrected").reduce(ruledAnew, entries);

function ruledAnew(entries, { changed = [] }) {
  const now = new Map(changed.filter(({ id }) => id).map((item) => [item.id, item.now]));
  const anew = (one) => ({ ...one, first: one.first ?? one.ruling.verdict, ruling: now.get(one.id) });
  return now.size ? entries.map((one) => (one.ruling && now.has(one.id) ? anew(one) : one)) : entries;
}

// Whether a correction's list names an entry; of long lists the correction has ranges.
function named(correction, list, { id }) {
  const ranges = correction[`${list}_entries`];
  if (ranges) return ranges.some(([first, last]) => first <= id && id <= last);
  return (correction[list] ?? []).some((one) => one.id === id);
}

/** Read the table and the choices again; several wishes at once are one. */
export function refresh() {
  again = true;
  reading ??= readWhileWanted().finally(() => {
    reading = null;
  });
  return reading;
}

async function readWhileWanted() {
  while (again && current) {
    again = false;
    try {
      await readOnce(current);
    } catch {
      // The stream says how the server is; whatever comes next reads again.
    }
  }
}

async function readOnce(id) {
  if (!id || !state.table) return;
  const token = readToken();
  const query = actingSeat() ? { seat: actingSeat() } : {};
  const [table, choices] = await Promise.all([
    get(`/tables/${id}`, { token }),
    get(`/tables/${id}/choices`, { token, query }),
  ]);
  await learnDeck(table.ruleset);
  if (current !== id || table.version < state.table.version) return;
  remember(table);
  write("seen", { table, entries: state.entries });
  change({ table, choices: { ...choices, version: table.version, table }, ...spokenFor(state.table, table) });
  if (actingSeat() && choices.seat !== actingSeat()) again = true;
}

/** Speak another language: everything that is shown is read anew. */
export async function readAnew() {
  const id = current;
  if (!id || !state.table) return;
  await learnDeck(state.table.ruleset);
  const mine = place(id);
  if (mine.seat) {
    const body = { language: language() };
    outbox.send({ method: "PUT", path: "/language", body, seat: mine.seat.seat, label: "language" });
  }
  stream?.reopen();
  const entries = await recent(id, readToken(), state.table.version, SHOWN);
  change({ entries: ruled(entries) });
  await refresh();
}

/**
 * The seat that is spoken for. Nobody but the host speaks for others: for a seat that was chosen,
 * else, when it is not the host's own turn, for one that is awaited and has no phone, or none that is heard of.
 */
export function actingSeat() {
  const { table, acting } = state;
  const mine = ownSeat();
  if (!table || !isHost()) return mine;
  if (acting) return acting;
  const { turn, awaiting } = table.state;
  const asked = awaiting.map((one) => one.seat);
  if (mine && asked.includes(mine)) return mine;
  const due = asked.includes(turn) ? [turn, ...asked] : asked;
  return due.find(standsInFor) ?? mine;
}

/** Speak for a seat from now on, as the host; null for whoever is awaited and has no phone. */
export function speakFor(seat) {
  change({ acting: seat, choices: null });
  refresh();
}

/** Whether this phone is a host's: it has a host's token, or its seat was made a host. */
export const isHost = () =>
  Boolean(current && (place(current)?.host || state.table?.seats.find(({ seat }) => seat === heldSeat())?.host));

/** The seat whose place this phone has, null if it has none. Its player may have left. */
export const heldSeat = () => (current && place(current)?.seat?.seat) || null;

/** The seat that this phone plays for, null if it has none or its player has left. */
export function ownSeat() {
  const seat = heldSeat();
  return state.table && !state.table.order.includes(seat) ? null : seat;
}

/** Whether this phone's player has left the table; it may still read. */
export const hasLeft = () => heldSeat() !== null && ownSeat() === null;

/** Whether this phone is a host's, which plays for a seat that has no phone, or none that is heard of. */
export const standsInFor = (seat) => isHost() && state.table.seats[seat - 1]?.heard === false;

/** Whether this phone plays for a seat: its own, the one that is spoken for, and those that it stands in for. */
export const playsFor = (seat) => [ownSeat(), actingSeat()].includes(seat) || standsInFor(seat);

/** The token to read with: the seat's own, which also sees what was shown to it. */
export function readToken() {
  const mine = place(current);
  return mine.seat?.token ?? mine.host ?? mine.watch ?? mine.camera;
}

/** The token to speak with for a seat, or, without one, as the host. */
export function tokenFor(seat) {
  const mine = place(current);
  return mine.seat && mine.seat.seat === seat ? mine.seat.token : mine.host ?? mine.seat?.token;
}

/** Make a move for the seat that is spoken for; `seen` is the table that it is meant for. */
export function move(body, label, seen = seenTable(label)) {
  const seat = body.seat ?? actingSeat();
  // That nobody knows a hand is for the host to say, of the own hand as well.
  const speaker = body.unknown ? null : seat;
  notify(null);
  // Who jumps in means the card on top, whatever else has happened, and no move minds what others hold.
  const means = label === "jump" ? "pile" : "own";
  // A call for UNO or a catch is as good a moment later; everything else is meant for what one sees.
  const aim = ["uno", "catch"].includes(body.move) ? null : seen;
  outbox.send({ method: "POST", path: "/moves", body: { ...body, seat, ...withWhom(body, seat) }, seat: speaker, label, seen: aim, means });
}

// Of two, nobody has to say with whom a 7 swaps hands.
function withWhom({ move: made, card }, seat) {
  const others = seated(state.table).filter((one) => one.seat !== seat);
  const swaps = made === "play" && state.table.options.seven_zero === "on" && parts(card).symbol === "7";
  return swaps && others.length === 1 ? { swap_with: others[0].seat } : {};
}

// What others have done a moment ago, each with the table before it.
let overtook = [];
// In milliseconds: so soon no finger answers to what has changed under it. Nobody looks for Pass where Draw was, when
// another phone has entered the draw.
const REACTION_MS = 400;
const PASS_MS = 1_500;

// The table that a tap is meant for: what the buttons were drawn for, where a finger could see it in time.
function seenTable(label) {
  const now = Date.now();
  overtook = overtook.filter(({ at }) => now - at < PASS_MS);
  const unseen = tappedByFinger() && overtook.find(({ at }) => now - at < (label === "pass" ? PASS_MS : REACTION_MS));
  const drawn = state.choices && state.choices.version < state.table.version ? state.choices.table : state.table;
  return unseen && unseen.before.version < drawn.version ? unseen.before : drawn;
}

/** Whether an entry was made by this phone. */
const isOwn = ({ by }) => (by?.role === "seat" ? by.seat === heldSeat() : by?.role === "host" && Boolean(place(current).host));

/** Do something as the host: a correction, a round. */
export function asHost(path, body, label, method = "POST") {
  notify(null);
  outbox.send({ method, path, body, seat: null, label, seen: state.table });
}

/**
 * Do something at once, as a seat or, without one, as the host: what went wrong as a sentence, null
 * if it is done. Once it is `over()`, as what it is for has been entered on another phone, it is not done.
 */
export async function attempt(method, path, body, seat = null, over = null) {
  const key = newKey();
  for (;;) {
    const { version } = state.table;
    if (over?.()) return t("link.overtaken");
    try {
      await call(method, `/tables/${current}${path}`, { token: tokenFor(seat), body, key, match: over && version });
      await refresh();
      return null;
    } catch (error) {
      if (!(error instanceof Problem && error.kind === "stale-version")) return troubleOf(error);
      await refresh();
      // It has to be read before it can be tried again.
      if (state.table.version === version) return t("link.overtaken");
    }
  }
}

/** What went wrong, as a sentence for the reader. */
export function troubleOf(error) {
  return error instanceof Problem ? error.said : t("link.lost");
}
