// Whoever asks for something at a table: devices, players, a new host.

import { call, get, newKey, post } from "../api.js";
import { h, icon } from "../dom.js";
import { keepPlace, place } from "../kept.js";
import * as outbox from "../outbox.js";
import { attempt, isHost, leave, ownSeat, refresh, sitDown, tokenFor, troubleOf } from "../session.js";
import { inRound, notify, redraw, seated, state, watch } from "../state.js";
import { language, locale, t } from "../texts.js";
import { closeDialog, later } from "./dialog.js";
import { free, openAskHost } from "./mine.js";

// Computers and phones that ask to be the table's camera or board: a host lets them in, wherever on the page.

// The stream says when somebody asks; that nobody asks any more is looked for.
const LOOK_MS = 2_500;
let waiting = { table: null, items: [] };
let timer = 0;
const cards = later(() => import("./letincards.js"));

const path = () => `/tables/${state.table.id}/pairings`;

/** Look who asks, again and again while somebody does; for hosts. */
export async function lookWhoAsks() {
  clearTimeout(timer);
  if (!state.table || !isHost()) return;
  const table = state.table.id;
  const before = JSON.stringify(waiting);
  const known = waiting.items.map(({ id }) => id);
  try {
    const { items } = await get(path(), { token: tokenFor(null) });
    if (state.table?.id !== table) return;
    waiting = { table, items };
  } catch {
    // The next look tries again.
  }
  clearTimeout(timer);
  if (waiting.items.length) timer = setTimeout(lookWhoAsks, LOOK_MS);
  if (JSON.stringify(waiting) !== before) redraw();
  // Who does not disturb may wait further up.
  if (waiting.items.length === 1 && waiting.items.some(({ id, quiet }) => !quiet && !known.includes(id))) setTimeout(bringIntoView);
}

// It stands on top, whatever one had scrolled to; nobody is taken from what they type.
function bringIntoView() {
  if (!document.querySelector("dialog[open], [data-do=let-in-many]") && !document.activeElement?.matches("input, textarea, select")) scrollTo(0, 0);
}

let own = () => null;

/** Have what this phone itself asks for shown in the same place, by a module that is loaded only then. */
export const showOwn = (render) => (own = render);

/** Who asks, with a button for yes and one for no, for hosts; and what this phone itself asks for. */
export const whoAsks = () => [state.table && waiting.table === state.table.id && isHost() && waiting.items.length ? (cards()?.cards(waiting.items, lookWhoAsks) ?? null) : null, own()];

// Who would like to play: the host lets them in, or they wait until the round is over.

/** Those who ask, for the host; for who asks, what they wait for. */
export function asking() {
  const { table } = state;
  if (!table) return null;
  // Who was refused is told so where it is told how the server is.
  if (hasAsked()) return state.link === "over" ? null : h("section", { class: "ask-card", key: "asking" }, h("p", { class: "ask" }, icon("ask"), t(comesByItself() ? "join.in-round" : "join.asked")));
  if (!isHost()) return null;
  return table.asking.map((name) => {
    const seat = seated(table).find((one) => one.name === name);
    if (!seat) return request(name);
    return seat.taken ? otherPhone(seat) : null;
  });
}

// Somebody at the table whose phone is lost, or has forgotten its place.
function otherPhone({ seat, name }) {
  return h(
    "section",
    { class: "ask-card", key: `asks-${name}` },
    h("p", { class: "ask" }, icon("people"), h("span", {}, t("join.returns", { name }))),
    h(
      "div",
      { class: "row" },
      h("button", { "data-do": "refuse-player", onclick: () => refuse(name) }, t("mine.refuse")),
      h("button", { class: "main", "data-do": "other-phone", onclick: () => free(seat) }, t("seats.other-phone", { seat: name })),
    ),
  );
}

// At an open table whoever is new is in with the next round.
const comesByItself = () => state.table.open && !seated(state.table).some(({ name }) => name === place(state.table.id).asks.name);

// Who was put aside on this phone, until a round has ended since: then it can be answered anew.
const aside = new Set();

function asideOf(name) {
  const { id, round } = state.table;
  return `${id} ${inRound(state.table) ? round - 1 : round} ${name}`;
}

function request(name) {
  const wait = inRound(state.table);
  const later = asideOf(name);
  const comes = wait && state.table.open;
  const text = [icon("people"), h("span", {}, t(comes ? "join.comes" : "join.asks", { name }))];
  // At an open table they come in by themselves.
  const answers = [
    h("button", { "data-do": "refuse-player", onclick: () => refuse(name) }, t("mine.refuse")),
    aside.has(later) ? null : h("button", { "data-do": "later", onclick: () => (aside.add(later), redraw()) }, t("join.later")),
    wait || state.table.open ? null : h("button", { class: "main", "data-do": "let-in", onclick: () => letIn(name) }, t("join.let-in")),
  ];
  const more = [wait && !comes ? h("p", { class: "small muted" }, t("join.next-round")) : null, h("div", { class: "row" }, answers)];
  return aside.has(later)
    ? h("details", { class: "ask-card let-in", key: `aside-${name}` }, h("summary", {}, text), more)
    : h("section", { class: "ask-card", key: `asks-${name}` }, h("p", { class: "ask" }, text), more);
}

async function letIn(name) {
  notify(await attempt("POST", "/seats", { name }));
}

async function refuse(name) {
  const path = `/tables/${state.table.id}/tokens`;
  const token = tokenFor(null);
  try {
    const { items } = await get(path, { token });
    const asked = items.filter((one) => one.role === "spectator" && one.name === name && !one.revoked);
    for (const one of asked) await call("DELETE", `${path}/${one.id}`, { token });
    await refresh();
  } catch (error) {
    notify(troubleOf(error));
  }
}

// Taking a seat at a table, at once or as soon as one may: after the round, or once a host agrees.

// The version of the table at which a seat was asked for last.
let tried = 0;

/** Keep the seat that was joined; `looking` is a token that was only for looking around. */
export async function takeSeat({ table_id: id, seat, token }, ruleset, looking) {
  await call("PUT", `/tables/${id}/language`, { token, body: { language: language() } });
  keepPlace(id, { seat: { seat, token }, watch: null, asks: null, ruleset });
  drop(id, looking);
}

/** Watch until there is a seat; `asks` is `{code, name}`. */
export function waitForSeat({ table_id: id, token }, asks, ruleset, looking) {
  keepPlace(id, { watch: token, asks, ruleset });
  drop(id, looking);
}

/** Void a token that was only for looking around. */
export function drop(id, token) {
  if (token) call("DELETE", `/tables/${id}/tokens/self`, { token }).catch(() => {});
}

/** Whether this phone has asked for a seat at the table it is at. */
export const hasAsked = () => Boolean(state.table && place(state.table.id)?.asks);

// An open table has room as soon as no round is played; elsewhere a host makes the seat.
function mayCome(table, name) {
  const seat = seated(table).find((one) => one.name === name);
  return seat ? !seat.taken : table.open && !inRound(table) && table.asking.includes(name);
}

async function comeIn() {
  const { table } = state;
  const mine = table && place(table.id);
  if (!mine?.asks || !mayCome(table, mine.asks.name) || tried === table.version) return;
  tried = table.version;
  try {
    const joined = await post("/join", mine.asks, { key: newKey() });
    if (!joined.seat) return drop(table.id, joined.token);
    await takeSeat(joined, table.ruleset, mine.watch);
    // A sheet cannot be drawn without its table.
    closeDialog();
    leave();
    await sitDown(table.id);
  } catch {
    // The next entry of the log tries again.
  }
}

watch(comeIn);

// Somebody asks to become host, because the host's phone is lost: agree, refuse, withdraw.

/**
 * The open request, with what this phone may do about it. Without one, that the game waits and no host is heard of, with
 * the way out; nothing otherwise.
 */
export function hostRequest() {
  const asked = state.table?.host_request;
  if (!asked) return hostIsSilent();
  const own = asked.seat === ownSeat();
  const text = own ? t("mine.asked") : t("mine.asks", { seat: state.table.seats[asked.seat - 1].name });
  const until = new Date(asked.until).toLocaleTimeString(locale(), { hour: "2-digit", minute: "2-digit", second: "2-digit" });
  return h(
    "section",
    { class: "ask-card", key: "host-request", "aria-label": text },
    h("p", { class: "ask" }, icon("ask"), text),
    h("p", { class: "muted" }, asked.missing ? t("mine.missing", { count: asked.missing }) : t("mine.until", { time: until })),
    h("div", { class: "row" }, buttons(asked, own)),
  );
}

function hostIsSilent() {
  if (!state.table?.host_silent || isHost() || !ownSeat()) return null;
  return h(
    "section",
    { class: "ask-card", key: "host-silent" },
    h("p", { class: "ask" }, icon("offline"), t("mine.host-silent")),
    h("button", { class: "main", "data-do": "become-host", onclick: () => openAskHost(ownSeat()) }, t("mine.ask-host")),
  );
}

function buttons({ seat, agreed }, own) {
  const path = "/host-request";
  const act = (method, rest, by, label) => () => outbox.send({ method, path: rest, body: undefined, seat: by, label });
  const no = (text, by) => h("button", { "data-do": "refuse", onclick: act("DELETE", path, by, "refuse") }, text);
  if (own) return [no(t("custom.withdraw"), ownSeat())];
  // A host says at once whether it is so; the others have a say each.
  if (isHost()) return [no(t("mine.refuse"), null), yes(act("PUT", `/seats/${seat}/host`, null, "host"))];
  if (!ownSeat()) return [];
  if (agreed.includes(ownSeat())) return [h("p", { class: "muted" }, t("mine.agreed"))];
  return [yes(act("POST", `${path}/agreements`, ownSeat(), "agree"))];
}

const yes = (onclick) => h("button", { class: "main", "data-do": "agree", onclick }, t("mine.agree"));
