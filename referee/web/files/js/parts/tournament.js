// At a table of a club evening: the round's clock, and the result that its players confirm.

import { call, get, newKey } from "../api.js";
import { asClock, secondsLeft } from "../club.js";
import { h } from "../dom.js";
import { heldSeat, isHost, readToken, troubleOf } from "../session.js";
import { inRound, notify, redraw, state } from "../state.js";
import { t } from "../texts.js";
import { gained } from "./clubtables.js";
import { openForm } from "./dialog.js";

const EVERY_MS = 5_000;
let known = { of: null, shown: null, round: null, at: 0 };
let timer = null;

const roundPath = ({ id, round }) => `/tournaments/${id}/rounds/${round}`;

/** What the tournament says at this table; null at a table of its own. */
export function tournamentPanel() {
  const place = state.table?.tournament;
  if (!place) return null;
  follow(place);
  if (known.of !== state.table.id || !known.round) return null;
  const one = known.round.tables[place.table - 1];
  const playing = inRound(state.table);
  return h(
    "section",
    { class: "stack club-at-table", key: "tournament" },
    next(one, place),
    one.result ? null : [clock(), playing && known.shown.present.round === place.round ? calls() : null],
    one.result && playing ? h("p", { class: "warn", role: "status", key: "entered" }, t("club.entered")) : null,
    one.result ? result(one, place) : null,
    evening(place),
  );
}

// Seating and standings are there for everybody.
function evening({ id, table, round }) {
  const here = [known.shown.name, t("club.table", { number: table }), t("club.round", { number: round })];
  return h("a", { class: "button quiet wide", href: `/club/${id}`, "data-do": "evening", key: "evening" }, here.join(" · "));
}

// Whoever is awaited and has no phone that is heard of: the organiser plays for them, and has to be called.
function calls() {
  const { state: now, seats } = state.table;
  const silent = seats.filter(({ seat, heard }) => !heard && now.awaiting.some((one) => one.seat === seat));
  return isHost() ? null : silent.map(({ seat, name }) => h("p", { class: "ask", role: "status", key: `call-${seat}` }, t("club.call", { seat: name })));
}

// Every round has tables of its own: whoever holds a seat here has to move.
function next(one, place) {
  const { present } = known.shown;
  const seat = heldSeat();
  if (known.shown.state === "over") return h("p", { class: "lead", role: "status", key: "next" }, t("club.over"));
  if (!seat || present.round <= place.round) return null;
  const { player } = one.seats[seat - 1];
  const at = present.tables.find(({ seats }) => seats.some((found) => found.player === player));
  if (at) {
    return h(
      "div",
      { class: "club-next", key: "next" },
      h("h2", { role: "status" }, t("club.next-table", { number: at.table })),
      at.state === "drawn" || at.state === "playing" ? h("p", {}, t("club.next-hint")) : null,
    );
  }
  const free = present.byes.some((found) => found.player === player);
  return free ? h("p", { class: "lead", role: "status", key: "next" }, t("club.next-bye")) : null;
}

function follow(place) {
  if (timer !== null && known.of === state.table.id) return;
  clearInterval(timer);
  known = { of: state.table.id, shown: null, round: null, at: 0 };
  timer = setInterval(() => (state.table?.id === known.of ? look(place) : stop()), EVERY_MS);
  look(place);
}

function stop() {
  clearInterval(timer);
  timer = null;
}

async function look(place) {
  const of = state.table.id;
  try {
    const token = readToken();
    const shown = await get(`/tournaments/${place.id}`, { token });
    const round = shown.present?.round === place.round ? shown.present : await get(roundPath(place), { token });
    if (known.of === of) known = { of, shown, round, at: Date.now() };
    redraw();
  } catch {
    // The next look may succeed; the table itself says how the server is.
  }
}

function clock() {
  const { clock: now, state: going } = known.round;
  if (!now || going !== "playing" || state.table.state.winner !== null) return null;
  const left = secondsLeft(now, known.at);
  return h("p", { class: left ? "club-left" : "warn", role: left ? null : "status" }, left ? asClock(left) : t("club.time-up"));
}

function result(one, place) {
  const seat = heldSeat();
  const own = seat && one.result.seats[seat - 1];
  return h(
    "div",
    { class: "stack", key: "result" },
    h("h2", {}, t(one.state === "confirmed" || !own ? "club.the-result" : "club.ask")),
    h(
      "ul",
      { class: "club-result" },
      one.result.seats.map((found) =>
        h("li", { key: found.seat }, h("span", {}, one.seats[found.seat - 1].name), h("span", { class: "club-score" }, String(found.score)), h("strong", {}, gained(found.points))),
      ),
    ),
    said(one, own, place),
  );
}

function said(one, own, place) {
  if (one.state === "confirmed") return h("p", { role: "status" }, t("club.counts"));
  if (one.state === "disputed") return [h("p", { class: "warn", role: "status" }, t("club.decides")), own?.verdict === "disputed" ? agree(one, place) : null];
  if (!own) return null;
  if (own.verdict === "confirmed") return h("p", { role: "status" }, t("club.waits"));
  return h("div", { class: "row" }, agree(one, place), h("button", { "data-do": "disagree", onclick: () => openDispute(one, place) }, t("club.disagree")));
}

const agree = (one, place) =>
  h("button", { class: "main", "data-do": "agree", onclick: async () => notify(await say(one, place, { agrees: true })) }, t("club.agree"));

async function say(one, place, body) {
  const path = `${roundPath(place)}/tables/${place.table}/confirmations`;
  try {
    await call("POST", path, { token: readToken(), body: { result: one.result.id, ...body }, key: newKey() });
    return null;
  } catch (error) {
    return troubleOf(error);
  } finally {
    await look(place);
  }
}

function openDispute(one, place) {
  let reason = "";
  const field = () => h("div", { class: "field" }, h("label", { for: "why-not" }, t("club.why")), h("input", { id: "why-not", type: "text", maxlength: 200, oninput: (event) => (reason = event.target.value) }));
  openForm(t("club.disagree"), field, { say: t("club.disagree"), send: () => say(one, place, { agrees: false, reason: reason.trim() || null }) });
}
