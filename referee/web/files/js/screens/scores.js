// The scores: round by round, the course of the game as a picture, who caught whom, and files.

import { file, get, Problem } from "../api.js";
import { h } from "../dom.js";
import { pixels, save, share } from "../files.js";
import { icon } from "../icons.js";
import { caught } from "../parts/caught.js";
import { wonBy } from "../parts/scoreline.js";
import { scoreTable } from "../parts/scoretable.js";
import { tally } from "../parts/tally.js";
import { sides, teamMark } from "../parts/teams.js";
import { readToken } from "../session.js";
import { change, notify, redraw, state } from "../state.js";
import { language, t } from "../texts.js";

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
    read.games.map(({ game, seats, winner, rounds }) => {
      const names = [winner ?? []].flat().map((seat) => seats[seat - 1]);
      const said = names.length ? wonBy(names) : t("scores.after", { count: rounds });
      return h(
        "button",
        { class: "wide", key: game, "data-do": `game-${game}`, "aria-pressed": String(read.sheet.game === game), onclick: show(game) },
        `${t("scores.game", { number: game })} · ${said}`,
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
