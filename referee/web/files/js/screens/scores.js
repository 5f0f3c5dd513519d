// The scores of a table.

import { file, get, Problem } from "../api.js";
import { cardFace } from "../cards.js";
import { h, icon } from "../dom.js";
import { pixels, save, share } from "../files.js";
import { LOWEST_WINS, markOf, sides, teamMark } from "../parts/podium.js";
import { wonBy } from "../parts/table.js";
import { readToken } from "../session.js";
import { change, notify, redraw, state } from "../state.js";
import { labelled, language, t, writtenOn } from "../texts.js";

// The scores: round by round, the course of the game as a picture, who caught whom, and files.

// What was read last: the sheet, the picture as a blob and its address, what they are of, and, where
// there were several games, all of them.
let read = { of: null, sheet: null, drawing: null, address: null, games: [] };
let reading = null;
// The game whose sheet is shown, null for the present one.
let chosen = null;
// Entries that change points, names or who plays.
const COUNTING = ["corrected", "round-counted", "seats-changed", "game-started", "game-ended"];

export const scores = {
  title: () => t("scores.title"),
  back: ({ table }) => `/t/${table}`,
  enter: () => (chosen = null),
  render: () => {
    const { id } = state.table;
    refresh();
    if (!read.sheet || !read.of.startsWith(id)) return h("p", { class: "muted centred", "aria-busy": "true" }, t("link.connecting"));
    return h(
      "div",
      { class: "sheet-screen" },
      h("div", { class: "stack" }, earlier(), head(), teams(), scoreTable(read.sheet), tally(read.sheet), caught(read.sheet), files()),
      picture(),
    );
  },
};

// Points change seldom, and everything else of the sheet with them or with a catch.
function version() {
  const { id, state: now } = state.table;
  const last = state.entries.filter((one) => COUNTING.includes(one.kind) || counts(one)).at(-1);
  return [id, language(), chosen, now.scores.join(), now.round_winner, last?.id].join(" ");
}

const counts = (entry) => ["catch", "reveal", "leave"].includes(entry.move?.move);
const query = () => (chosen ? { game: chosen } : {});

function refresh() {
  const of = version();
  if (reading === of || read.of === of) return;
  reading = of;
  readSheet(of).then(
    () => (reading = null),
    (error) => {
      // Tried again with whatever happens next; a problem is said.
      if (error instanceof Problem) notify(error.message);
      setTimeout(() => ((reading = null), change({})), 2_000);
    },
  );
}

async function readSheet(of) {
  const path = `/tables/${state.table.id}/scores`;
  const token = readToken();
  const sheet = await get(path, { token, query: query() });
  const drawing = await file(`${path}.svg`, { token, query: query() });
  const games = state.table.game > 1 ? (await get(`/tables/${state.table.id}/games`, { token })).items : [];
  if (read.address) URL.revokeObjectURL(read.address);
  read = { of, sheet, drawing, address: URL.createObjectURL(drawing), games };
  change({});
}

/** The games of the evening, where there is more than one. */
function earlier() {
  if (read.games.length < 2) return null;
  const show = (game) => () => {
    chosen = game === state.table.game ? null : game;
    redraw();
  };
  return h(
    "section",
    { class: "stack", key: "games" },
    h("h2", {}, t("scores.games")),
    read.games.map(({ game, deck, seats, winner, rounds }) => {
      const names = [winner ?? []].flat().map((seat) => seats[seat - 1]);
      const said = names.length ? wonBy(names) : t("scores.after", { count: rounds });
      return h(
        "button",
        { class: "wide", key: game, "data-do": `game-${game}`, "aria-pressed": String(read.sheet.game === game), onclick: show(game) },
        [t("scores.game", { number: game }), deck, said].join(" · "),
      );
    }),
  );
}

function head() {
  const { seats, winner, rounds } = read.sheet;
  const won = [winner ?? []].flat().map((seat) => seats[seat - 1]);
  const said = won.length ? wonBy(won) : t("scores.after", { count: rounds.length });
  return h("h2", {}, said);
}

// A team's points are those of its members.
function teams() {
  const { seats, scores: now, options } = read.sheet;
  if (!options.teams) return null;
  const points = options.teams.map((team) => team.reduce((sum, seat) => sum + now[seat - 1], 0));
  const named = seats.map((name, at) => ({ name, seat: at + 1 }));
  return h(
    "section",
    { class: "scores", key: "teams" },
    h(
      "ul",
      {},
      sides({ seats: named, options, state: { scores: now, team_scores: points } }).map((one) =>
        h("li", { key: one.team, class: `side of-team-${one.team}` }, h("span", {}, teamMark(one.team), one.names), h("strong", {}, String(one.points))),
      ),
    ),
  );
}

function picture() {
  const { seats, scores: now } = read.sheet;
  const said = seats.map((name, i) => `${name} ${now[i]}`).join(", ");
  return h(
    "figure",
    { class: "picture" },
    h("img", { src: read.address, alt: t("scores.picture-of", { scores: said }), width: 1080 }),
  );
}

function files() {
  const path = `/tables/${state.table.id}`;
  const png = () => attempt(async () => share(await pixels(read.drawing), `${t("scores.file")}.png`, t("scores.title")));
  const fetched = (rest, name) => () => attempt(async () => save(await file(`${path}/${rest}`, { token: readToken(), query: query() }), name));
  const csv = `${t("scores.file")}.csv`;
  return h(
    "section",
    { class: "stack", "aria-label": t("scores.files") },
    h("button", { class: "main wide", onclick: png, "data-do": "share" }, icon("share"), t("scores.share")),
    h(
      "div",
      { class: "row" },
      h("button", { onclick: fetched("scores.csv", csv), "data-do": "csv" }, icon("save"), t("scores.csv")),
      h("button", { onclick: fetched("record", `${t("scores.file")}.json`), "data-do": "record" }, icon("save"), t("scores.record")),
    ),
  );
}

async function attempt(what) {
  try {
    await what();
  } catch (error) {
    notify(error instanceof Problem ? error.message : t("link.lost"));
  }
}

// The score sheet as a table: a line for each seat, the best first, with its total and what each round brought.

/** The table of a sheet as the API has it. Names and totals stay in view; the rounds, the last one first, scroll. */
function scoreTable({ seats, rounds, scores, winner, options }) {
  const won = new Set([winner ?? []].flat());
  const low = LOWEST_WINS.includes(options.scoring) ? 1 : -1;
  // Who has played no round stands below all who have.
  const waits = (at) => rounds.length > 0 && rounds.every(({ points }) => points[at] === null);
  const order = seats.map((_, at) => at).sort((a, b) => won.has(b + 1) - won.has(a + 1) || waits(a) - waits(b) || low * (scores[a] - scores[b]));
  const latest = [...rounds].reverse();
  return h(
    "div",
    { class: "scroll", role: "region", tabindex: "0", "aria-label": t("scores.rounds") },
    h(
      "table",
      { class: "sheet-table by-seat" },
      h(
        "thead",
        {},
        h("tr", {}, h("td", {}), h("th", { scope: "col" }, t("scores.total")), latest.map(({ round }) => h("th", { scope: "col", key: round }, h("span", { class: "heard" }, `${t("scores.round")} `), String(round)))),
      ),
      h(
        "tbody",
        {},
        order.map((at) =>
          h(
            "tr",
            { key: at },
            h("th", { scope: "row" }, markOf({ options }, at + 1), seats[at]),
            h("td", { class: won.has(at + 1) ? "total won" : "total" }, String(scores[at])),
            latest.map(({ round, points, winner: out }) => brought(round, points[at], out === at + 1)),
          ),
        ),
      ),
    ),
  );
}

// What a round brought a seat; of whoever was not there, nothing.
const brought = (round, value, out) =>
  h("td", { key: round, class: out ? "out" : "" }, value === null ? "" : value ? `+${value}`.replace("+-", "−") : "0", out ? h("span", { class: "heard" }, ` ${t("scores.out")}`) : null);

// What a round's points are made of: the cards that were left, hand by hand.

/** What seats began with, and the rounds of a sheet, the last one first and open. */
export function tally({ ruleset, seats, scores, rounds }) {
  const told = rounds.filter(({ hands }) => hands.length).reverse();
  const began = seats.map((name, at) => [name, scores[at] - rounds.reduce((sum, { points }) => sum + (points[at] ?? 0), 0)]).filter(([, points]) => points);
  if (!told.length && !began.length) return null;
  return h(
    "section",
    { class: "stack tally", key: "tally" },
    h("h3", {}, t("scores.hands")),
    began.length ? h("p", { key: "began" }, labelled(t("seats.points"), began.map(([name, points]) => `${name} ${points}`).join(", "))) : null,
    told.map((round, at) =>
      h("details", { class: "house", key: round.round, open: at === 0 }, h("summary", {}, title(round, seats)), h("ul", {}, round.hands.map((hand) => line(hand, seats, ruleset)))),
    ),
  );
}

// Who went out, and what that brought; where all collect their own, that stands beside each hand.
function title({ round, winner, points }, seats) {
  const number = t("play.round", { number: round });
  if (!winner) return number;
  const brought = points[winner - 1];
  return `${number} · ${seats[winner - 1]} ${brought ? `+${brought}` : t("scores.out")}`;
}

// What counts for nobody, as a partner's hand, is crossed out; of a hand that nobody knows there are no points.
const line = ({ seat, cards, card_points: each, points, to }, seats, ruleset) =>
  h(
    "li",
    { key: seat, class: to === null ? "for-nobody" : "" },
    h("span", { class: "tally-name" }, seats[seat - 1]),
    h("strong", {}, cards === null && !points ? "?" : to === null ? h("s", {}, String(points)) : String(points)),
    cards?.length
      ? h(
          "span",
          { class: "hand" },
          cards.map((card, at) => h("span", { class: "tally-card" }, cardFace(card, { ruleset, small: true, text: writtenOn(card) }), h("small", {}, String(each[at])))),
        )
      : null,
  );

// Who caught whom: calls for UNO that were forgotten, challenges won and lost.

const KINDS = [
  ["uno", "uno.catch", true],
  ["right", "challenge", true],
  ["wrong", "challenge", false],
];

/** Lists of pairs, each with how often; nothing where nobody was caught. */
export function caught({ seats, caught: all }) {
  const lists = KINDS.map(([name, rule, right]) => [name, all.filter((one) => one.rule === rule && one.right === right)]);
  return h(
    "div",
    { class: "caught" },
    lists.map(([name, found]) => (found.length ? h("section", { key: name }, h("h3", {}, t(`scores.${name}`)), pairs(found, seats)) : null)),
  );
}

function pairs(found, seats) {
  const often = new Map();
  for (const { by, of } of found) {
    const pair = `${seats[by - 1]} → ${seats[of - 1]}`;
    often.set(pair, (often.get(pair) ?? 0) + 1);
  }
  const sorted = [...often].sort((a, b) => b[1] - a[1]);
  return h("ul", {}, sorted.map(([pair, count]) => h("li", { key: pair }, h("span", {}, pair), h("strong", {}, String(count)))));
}
