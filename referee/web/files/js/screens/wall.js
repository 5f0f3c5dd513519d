// The table on a TV: everything large, nothing to press. A tap or Escape leads back to the table.
//
// ?overlay=1 leaves out the ground and all that a stream does not need; ?code=… on /wall joins by itself.

import { post, Problem } from "../api.js";
import { cardBack, cardFace, colorMark, letters, lineOf } from "../cards.js";
import { h, icon } from "../dom.js";
import { keepPlace, places } from "../kept.js";
import { textField } from "../parts/dialog.js";
import { reachable } from "../parts/invite.js";
import { brought, podium, everybody, hasPoints, markOf, rankIn, sides, teamMark, teamOf, teamTotals } from "../parts/podium.js";
import { drawsLast } from "../parts/banner.js";
import { powerMark } from "../parts/picker.js";
import { wonBy, stackLine } from "../parts/table.js";
import { classOf, isIllegal, isTold, wordsAlone } from "../parts/rulings.js";
import { languageField } from "../parts/settings.js";
import { ring } from "../parts/timer.js";
import { go } from "../router.js";
import { heldBy, inRound, notify, roundOf, state } from "../state.js";
import { t, word, writtenOn } from "../texts.js";

const SAID = 2;
const EVENT_LINES = 2;
// Letters that stand in two lines of large type; more are smaller, to leave room for the table.
const LARGE_LETTERS = 90;
// What all hands have to do is told before the card that had them do it.
const MOVES = new Set(["hands-passed", "hands-back", "redealt", "redealing"]);
const HERE = /^\/wall\/([^/]+)$/;
let awake = null;

addEventListener("keydown", (event) => {
  const found = HERE.exec(location.pathname);
  if (found && event.key === "Escape") go(`/t/${found[1]}`);
});

/** Where a TV joins: the code, and nothing else to choose but the language. */
export const wallDoor = {
  path: "/wall",
  title: () => t("wall.title"),
  back: () => "/",
  enter() {
    const code = asked().get("code");
    if (code) enterWith(code);
  },
  render: () => [
    h(
      "form",
      { class: "stack", onsubmit: enterCode },
      h("p", {}, t("join.lead")),
      textField(t("join.code"), { id: "code", name: "code", required: true, autocomplete: "off", autocapitalize: "characters", spellcheck: "false", maxlength: 24, class: "code-field" }),
      h("button", { class: "main wide", "data-do": "look" }, t("join.look")),
    ),
    languageField(),
  ],
};

const asked = () => new URLSearchParams(location.search);

function enterCode(event) {
  event.preventDefault();
  enterWith(new FormData(event.target).get("code"));
}

// A stream's browser starts often: the place that it has is good for the same code.
async function enterWith(code) {
  const how = asked();
  how.delete("code");
  const more = how.size ? `?${how}` : "";
  const known = places().find((one) => one.wall === code);
  if (known) return go(`/wall/${known.table}${more}`, { replace: true });
  try {
    const { table_id: table, token } = await post("/join", { code });
    keepPlace(table, { watch: token, wall: code });
    go(`/wall/${table}${more}`, { replace: true });
  } catch (error) {
    notify(error instanceof Problem ? error.message : t("link.lost"));
  }
}

/** The table, large. */
export const wall = {
  path: "/wall/:table",
  moments: true,
  needsTable: true,
  bare: true,
  title: () => t("wall.title"),
  enter: stayAwake,
  render: ({ table }) => {
    const { round } = state.table;
    const over = !inRound(state.table);
    const overlay = asked().get("overlay") === "1";
    const ended = state.table.state.winner !== null;
    const middle = !round ? [overlay ? null : lobby(), seats(false)] : over ? [result(), standings()] : [pile(overlay), seats(true)];
    return h(
      "main",
      { class: `wall${overlay ? " overlay" : ""}`, id: "main", tabindex: "-1", onclick: overlay ? undefined : () => go(`/t/${table}`) },
      h("h1", { class: "heard" }, t("wall.title")),
      link(),
      // At the end of a game the podium says it.
      round && !ended ? event() : null,
      middle,
      round && !overlay ? h("div", { class: "wall-foot", key: "foot" }, said(), scan()) : null,
    );
  },
};

// A TV that goes dark in the middle of a round is no use; where that cannot be helped it does.
async function stayAwake() {
  if (awake && !awake.released) return;
  awake = await navigator.wakeLock?.request("screen").catch(() => null);
}

const link = () =>
  state.link === "live" ? null : h("p", { class: "wall-link", role: "status" }, icon("offline"), t(state.link === "over" ? "link.over" : "link.lost"));

function lobby() {
  const { code, invitation } = state.table;
  const written = code.replace(/(.{4})(?=.)/g, "$1 ");
  const address = (reachable() ?? location.origin).replace(/^https?:\/\/|\/$/g, "");
  return h(
    "section",
    { class: "wall-middle invite" },
    h("img", { class: "qr", src: `/join.svg?code=${invitation}`, alt: t("invite.picture", { code: written }), width: 220, height: 220 }),
    h("p", { class: "code" }, written),
    h("p", {}, t("invite.hint", { address })),
  );
}

// Somebody who comes late scans it beside the game.
function scan() {
  const { code, invitation } = state.table;
  const written = code.replace(/(.{4})(?=.)/g, "$1 ");
  return h("figure", { class: "wall-scan" }, h("img", { class: "qr", src: `/join.svg?code=${invitation}`, alt: t("invite.picture", { code: written }), width: 220, height: 220 }), h("figcaption", {}, written));
}

// What happened last, for the whole room: what it means to somebody, or else what it was.
function event() {
  const last = standing().at(-1);
  // Whose turn it is stands below; what hits somebody, or helps them, comes first.
  const hits = (last?.banners ?? []).filter((one) => one.tone === "bad" || one.tone === "good" || MOVES.has(one.event) || drawsLast(one));
  const bad = last && (isIllegal(last) || last.kind === "time-up" || hits.some(({ tone }) => tone === "bad"));
  // Whom a card skips is told with who laid it.
  const name = state.table.seats[last?.move?.seat - 1]?.name;
  const skips = hits.some(({ event, others }) => event === "skipped" && name && others.includes(name));
  // Of whoever leaves, the towers go back as well as the cards.
  const putBack = last?.move?.move === "leave" && last.events.some(({ event }) => event === "power-moved");
  const happened = last && !skips ? wordsAlone(last).slice(0, putBack ? EVENT_LINES : 1) : [];
  const told = [...new Set([...hits.map(({ others }) => others), ...happened])];
  // What a longer line says, too, is not said twice.
  const lines = told.filter((line) => !told.some((other) => other !== line && other.includes(line)));
  return h(
    "section",
    { class: `wall-event${bad ? " bad" : ""}`, key: last ? `event-${last.id}` : "event", "aria-label": t("wall.event") },
    lines.slice(0, EVENT_LINES).map((text) => h("p", { class: text.length > LARGE_LETTERS ? "small" : null }, text)),
  );
}

function pile(overlay) {
  const { ruleset, seats: all, state: now, options } = state.table;
  const over = now.round_winner;
  const name = over ? t("play.round-won", { seat: all[over - 1].name }) : now.turn ? all[now.turn - 1].name : "";
  return h(
    "section",
    { class: `wall-middle painted fill-${now.color ?? "wild"}`, "aria-label": t("play.pile") },
    // Whose turn it is, is read from the sofa.
    h("p", { class: `wall-turn ${lineOf(name)}` }, name),
    h("div", { class: "wall-card" }, now.top ? cardFace(now.top, { ruleset, text: writtenOn(now.top) }) : null),
    h(
      "div",
      { class: "wall-now" },
      // While hands are shown neither colour nor direction matters any more.
      over ? null : h(
        "p",
        { class: "line" },
        now.color ? [colorMark(now.color), h("span", {}, word(ruleset, "colors", now.color))] : h("span", {}, t("play.no-color")),
      ),
      overlay || over ? null : h("p", { class: "line" }, icon(now.direction), h("span", {}, word(ruleset, "directions", now.direction))),
      stackLine(),
      options.rounds && !overlay ? h("p", { class: "wall-waiting" }, roundOf(state.table)) : null,
      overlay ? null : h("p", { class: "wall-waiting" }, state.choices?.waiting ?? ""),
    ),
  );
}

function result() {
  const { seats: all, state: now } = state.table;
  const won = [now.winner ?? []].flat().map((seat) => all[seat - 1].name);
  const first = now.round_winner ? t("play.round-won", { seat: all[now.round_winner - 1].name }) : t("play.scores");
  const { rounds } = state.table.options;
  return h("section", { class: "wall-middle wall-result" }, h("p", { class: "wall-turn" }, won.length ? wonBy(won) : first), rounds && !won.length ? h("p", { class: "line" }, roundOf(state.table)) : null);
}

function standings() {
  const { seats: all, state: now } = state.table;
  if (now.winner !== null) return h("section", { class: "scores wall-end" }, podium());
  const rank = rankIn(state.table);
  const sorted = sides(state.table).sort((a, b) => rank(a.seats[0], a.points) - rank(b.seats[0], b.points));
  return h(
    "ol",
    { class: `wall-seats standings${sorted.length > 6 ? " many" : ""}`, "aria-label": t("play.scores") },
    sorted.map(({ seats: members, names, points, team }) =>
      h(
        "li",
        { key: `score-${members[0]}`, class: `wall-seat${team < 0 ? "" : ` side of-team-${team}`}` },
        team < 0 ? null : teamMark(team),
        h("div", { class: "wall-who" }, nameOf(names)),
        all[members[0] - 1].out ? h("span", { class: "tag" }, t("teams.out")) : null,
        brought(members),
        h("strong", { class: "wall-count" }, String(points)),
      ),
    ),
  );
}

// Everybody, with cards and points; before the first round, who is there.
function seats(playing) {
  const all = everybody(state.table);
  return h(
    "section",
    { class: "wall-side" },
    h(
      "ul",
      { class: `wall-seats${all.length > 6 ? " many" : ""}`, "aria-label": t("play.seats") },
      all.map((one) => (playing ? player(one) : guest(one))),
    ),
    playing ? [teamTotals(state.table), tray()] : null,
  );
}

// Towers or power stands that nobody holds.
function tray() {
  const free = heldBy(0);
  return free.length ? h("p", { class: "wall-marks wall-tray" }, h("span", {}, t("play.tray")), free.map(power)) : null;
}

function power(name) {
  return h("span", { key: name }, powerMark(name), h("span", { class: "heard" }, word(state.table.ruleset, "powers", name)));
}

function player({ seat, name, out }) {
  const now = state.table.state;
  const team = teamOf(state.table, seat);
  const count = now.hands[seat - 1];
  const turn = now.turn === seat;
  return h(
    "li",
    { key: seat, class: `wall-seat${turn ? " on-turn" : ""}${out ? " out" : ""}${team < 0 ? "" : ` side of-team-${team}`}`, "aria-current": turn ? "true" : null },
    team < 0 ? null : teamMark(team),
    h("div", { class: "wall-who" }, nameOf(name), hasPoints(state.table) ? h("span", { class: "wall-points" }, t("wall.points", { count: now.scores[seat - 1] })) : null),
    h(
      "span",
      { class: "wall-marks" },
      ring(seat),
      now.uno.includes(seat) ? h("strong", { class: "badge-uno" }, "UNO") : null,
      heldBy(seat).map(power),
    ),
    out ? h("span", { class: "tag" }, t("teams.out")) : h(
      "strong",
      { class: `wall-count${count === 1 ? " one" : ""}` },
      cardBack(),
      h("span", { "aria-hidden": "true" }, String(count)),
      h("span", { class: "heard" }, t("play.cards", { count })),
    ),
  );
}

const guest = ({ seat, name, taken }) =>
  h(
    "li",
    { key: seat, class: "wall-seat" },
    markOf(state.table, seat),
    h("div", { class: "wall-who" }, nameOf(name)),
    h("span", { class: taken ? "tag here" : "tag" }, taken ? t("invite.here") : t("invite.free")),
  );

const nameOf = (name) => h("span", { class: `seat-name ${letters(name)}` }, name);

const standing = () => state.entries.filter((one) => isTold(one) && !one.undone);

// What was before that.
function said() {
  const before = state.entries.filter(isTold);
  const last = standing().at(-1);
  const shown = before.filter((one) => one !== last).slice(-SAID).reverse();
  return h(
    "ol",
    { class: "wall-said", "aria-label": t("play.rulings") },
    shown.map((entry) =>
      h("li", { key: entry.id, class: classOf(entry) }, isIllegal(entry) ? icon("warn") : null, entry.undone ? h("s", {}, wordsAlone(entry).join(" ")) : wordsAlone(entry).join(" ")),
    ),
  );
}
