// A round of a club evening: its clock, its tables with their results, and who sits it out.

import { act, asClock, attempt, club, organises, secondsLeft, tokenOf } from "../club.js";
import { h } from "../dom.js";
import { keepPlace } from "../kept.js";
import { go } from "../router.js";
import { redraw } from "../state.js";
import { labelled, locale, t } from "../texts.js";
import { openDialog, openForm } from "./dialog.js";

/** The clock of the newest round while it is played; null without one. */
export function clubClock() {
  const { clock, state } = club.shown.present ?? {};
  if (!clock || state !== "playing") return null;
  const left = secondsLeft(clock);
  return h(
    "div",
    { class: `club-clock${left ? "" : " up"}`, key: "clock" },
    h("p", { class: "club-time", role: "timer" }, asClock(left)),
    left ? (clock.state === "paused" ? h("p", {}, t("club.paused")) : null) : h("p", { role: "status" }, t("club.time-up")),
  );
}

/** The tables of the newest round. */
export function clubTables() {
  const { tables, byes } = club.shown.present;
  return h(
    "div",
    { class: "stack", key: "tables" },
    tables.map(table),
    byes.length ? h("p", { key: "byes" }, t("club.byes", { names: byes.map(({ name }) => name).join(", ") })) : null,
  );
}

function table(one) {
  const { table: number, seats, state, result, live } = one;
  return h(
    "section",
    { class: "club-table", key: `table-${number}`, "data-table": number },
    h("h3", {}, t("club.table", { number }), h("span", { class: `tag is-${state}` }, t(`club.is-${state}`))),
    h(
      "ul",
      {},
      seats.map(({ seat, name }) => h("li", { key: seat }, h("span", {}, name), ...scoreOf(result?.seats[seat - 1], live?.scores[seat - 1]))),
    ),
    disputes(one),
    organises() ? buttons(one) : null,
  );
}

function scoreOf(result, live) {
  if (result) return [h("span", { class: "club-score" }, String(result.score)), h("strong", {}, gained(result.points))];
  return live === undefined ? [] : [h("span", { class: "club-score" }, String(live))];
}

const asPoints = (number, more) => number.toLocaleString(locale(), { maximumFractionDigits: 2, useGrouping: false, ...more });

/** Points as people write them: thirds and halves with two digits at most. */
export const points = (number) => asPoints(number);

/** The points that a result brings, with their sign. */
export const gained = (number) => asPoints(number, { signDisplay: "always" });

function disputes({ state, seats, result }) {
  if (state !== "disputed") return [];
  const said = (result?.seats ?? []).filter(({ verdict }) => verdict === "disputed");
  return said.map(({ seat, reason }) =>
    h("p", { class: "warn", key: `dispute-${seat}` }, reason ? labelled(seats[seat - 1].name, reason) : t("club.disputes", { name: seats[seat - 1].name })),
  );
}

function buttons(one) {
  const { table: number, code, state, table_id: id } = one;
  if (!id) return null;
  const path = `/rounds/${club.shown.present.round}/tables/${number}`;
  const confirm = () => attempt("POST", `${path}/confirmations`, { agrees: true });
  return h(
    "div",
    { class: "row", key: "buttons" },
    code ? h("button", { "data-do": `code-${number}`, onclick: () => openCode(one) }, t("club.code")) : null,
    h("button", { "data-do": `visit-${number}`, onclick: () => visit(one) }, t("nav.table")),
    h("button", { "data-do": `enter-${number}`, onclick: () => openResult(one, path) }, t("club.enter")),
    ["waiting", "disputed"].includes(state) ? h("button", { class: "main", "data-do": `confirm-${number}`, onclick: confirm }, t("club.confirm-all")) : null,
  );
}

// An organiser's token is a host's at every table.
function visit({ table_id: id, seats }) {
  keepPlace(id, { host: tokenOf(club.id), ruleset: club.shown.ruleset, seats: seats.map(({ name }) => name) });
  go(`/t/${id}`);
}

const openCode = (one) => openDialog(t("club.table", { number: one.table }), () => h("div", { class: "invite" }, codeOf(one)));

function codeOf({ code, invitation }) {
  const written = asCode(code);
  return [
    h("img", { class: "qr", src: `/join.svg?code=${invitation}`, alt: t("invite.picture", { code: written }), width: 220, height: 220 }),
    h("p", { class: "code" }, written),
  ];
}

/** A join code as people read it. */
export const asCode = (code) => code.replace(/(.{4})(?=.)/g, "$1 ");

/** The tables of the newest round that phones may still join; organisers only see codes. */
const joinable = () => club.shown.present.tables.filter(({ code }) => code);

/** A button that shows the codes of all tables on one sheet; null without any. */
export function allCodes() {
  if (!club.shown.present || !joinable().length) return null;
  return h("button", { class: "wide", key: "codes", "data-do": "codes", onclick: openCodes }, t("club.codes"));
}

function openCodes() {
  const one = (table) => h("li", { key: table.table, class: "invite" }, h("h3", {}, t("club.table", { number: table.table })), h("p", {}, table.seats.map(({ name }) => name).join(", ")), codeOf(table));
  openDialog(t("club.codes"), () => h("ul", { class: "club-codes" }, joinable().map(one)));
}

function openResult({ table: number, seats, result, live, state: progress }, path) {
  // A table that nobody has played at on a phone has no scores yet: its zeros are no result.
  const played = live?.card_rounds ? live.scores : [];
  const scores = seats.map((_, i) => String(result?.seats[i].score ?? played[i] ?? ""));
  const valid = () => scores.every((score) => /^-?\d+$/.test(score.trim()));
  const field = ({ name }, i) =>
    h(
      "div",
      { class: "field", key: `score-${i}` },
      h("label", { for: `score-${i}` }, name),
      h("input", { id: `score-${i}`, type: "number", inputmode: "numeric", required: true, value: scores[i], oninput: (event) => ((scores[i] = event.target.value), redraw()) }),
    );
  const warning = () => (progress === "playing" ? h("p", { class: "warn", key: "plays" }, t("club.still-plays")) : null);
  openForm(t("club.table", { number }), () => [warning(), h("p", { class: "small muted", key: "hint" }, t("club.enter-hint")), ...seats.map(field)], {
    say: t("club.enter"),
    ready: valid,
    send: () => act("PUT", `${path}/result`, { scores: scores.map(Number) }),
  });
}

/** The standings as a table. */
export function clubStandings() {
  const head = ["club.rank", "club.player", "club.points", "club.wins", "club.game-points"];
  return h(
    "div",
    { class: "scroll", role: "region", tabindex: "0", "aria-label": t("club.standings"), key: "standings" },
    h(
      "table",
      { class: "sheet-table club-standings" },
      h("thead", {}, h("tr", {}, head.map((name) => h("th", { scope: "col" }, t(name))))),
      h(
        "tbody",
        {},
        club.standings.map((row) =>
          h(
            "tr",
            { key: `player-${row.player}` },
            h("td", {}, String(row.rank)),
            h("th", { scope: "row" }, row.name),
            h("td", {}, points(row.points)),
            h("td", {}, String(row.wins)),
            h("td", {}, String(row.game_points)),
          ),
        ),
      ),
    ),
  );
}
