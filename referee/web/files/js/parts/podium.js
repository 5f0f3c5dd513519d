// Teams, the end of a game, and the next one.

import { file, get } from "../api.js";
import { h, icon } from "../dom.js";
import { pixels, share } from "../files.js";
import { asHost, attempt, isHost, readToken, troubleOf } from "../session.js";
import { anotherBegan, inRound, notify, redraw, state } from "../state.js";
import { t } from "../texts.js";
import { checkField, openForm, selectField } from "./dialog.js";

// Teams: each has a letter and a colour, and its members' points are added up.

export const LETTERS = "ABCDE";

/** The mark of a team by its place, 0 and on. */
export const teamMark = (at) =>
  h("span", { class: `team team-${at}`, role: "img", "aria-label": t("teams.name", { letter: LETTERS[at] }) }, LETTERS[at]);

/** The place of a seat's team; -1 where everybody plays alone. */
export const teamOf = ({ options }, seat) => (options.teams ?? []).findIndex((team) => team.includes(seat));

/** The mark of a seat's team, null without one. */
export function markOf(table, seat) {
  const at = teamOf(table, seat);
  return at < 0 ? null : teamMark(at);
}

/** Whoever has points of their own: the seats, or the teams: `{seats, names, points, team}`. */
export function sides({ seats, options, state: now }) {
  const { teams } = options;
  if (!teams) return seats.map(({ seat, name }) => ({ seats: [seat], names: name, points: now.scores[seat - 1] ?? 0, team: -1 }));
  return teams.map((team, at) => ({
    seats: team,
    names: team.map((seat) => seats[seat - 1].name).join(" + "),
    points: now.team_scores?.[at] ?? 0,
    team: at,
  }));
}

/** What these seats' points have grown by with the last round, such as `+40`; null where they have not, or nobody knows. */
export function brought(seats) {
  const { round, state: { scores } } = state.table;
  const before = state.entries.findLast((one) => one.state && (one.round < round || inRound(one)))?.state.scores;
  const points = seats.reduce((sum, seat) => sum + scores[seat - 1] - (before?.[seat - 1] ?? scores[seat - 1]), 0);
  return points ? h("span", { class: "brought", key: "brought" }, `+${points}`.replace("+-", "−")) : null;
}

/** Whether anybody has points: in a game for a single round nobody ever does. */
export const hasPoints = ({ state: now }) => now.scores.some(Boolean);

/** What each team has, in a line; null where everybody plays alone, or nobody has points. */
export const teamTotals = (table) =>
  table.options.teams && hasPoints(table)
    ? h("p", { class: "team-totals", key: "team-totals" }, sides(table).map(({ points, team }) => h("span", { key: team }, teamMark(team), t("wall.points", { count: points }))))
    : null;

/** Who is at the table, and whoever is out of the game. */
export const everybody = ({ seats, order }) => {
  const here = order ? order.map((seat) => seats[seat - 1]) : seats;
  return [...here, ...seats.filter(({ out }) => out)];
};

// After the game: who stands where, the others below, and a picture to send.

const STEPS = 3;
/** Ways to score in which fewer points are better. */
export const LOWEST_WINS = ["low", "elimination"];
// As they stand on a podium, seen from the front; two stand in the middle.
const PLACES = [2, 1, 3];
const columnOf = (at, all) => PLACES.filter((place) => place <= all).indexOf(at + 1) + 1;

// Who came when the last round, or the game, was over has played nothing of it, and has no place in it.
function newcomers() {
  let found = [];
  let counts = false;
  for (const { kind, seats, was, state: then, events = [], undone } of state.entries) {
    const scored = !undone && events.some(({ event }) => event === "scored");
    if (kind === "game-started" || scored) [found, counts] = [[], scored];
    if (kind !== "seats-changed" || undone || !(counts || then?.winner)) continue;
    found.push(...Object.keys(seats.join ?? {}).map(Number).filter((seat) => !was.back?.includes(seat)));
  }
  return new Set(found);
}

/** Orders seats by their points, the best first, and last whoever has played no round: `(seat, points)` to a number. */
export function rankIn({ options }) {
  const low = LOWEST_WINS.includes(options.scoring) ? 1 : -1;
  const after = newcomers();
  return (seat, points) => (after.has(seat) ? Number.MAX_VALUE : low * points);
}

/** The places of a game that is over, `[{seat, name, points, place}]`, the best first; ties share one. */
function ranking() {
  const { seats, state: now, options } = state.table;
  const winners = [now.winner ?? []].flat();
  const low = LOWEST_WINS.includes(options.scoring) ? 1 : -1;
  const after = newcomers();
  const all = sides(state.table)
    .filter(({ seats: [seat] }) => !after.has(seat))
    .map(({ seats: members, names, points, team }) => ({ seat: members[0], name: names, team, here: seats[members[0] - 1].in, points, won: members.some((seat) => winners.includes(seat)) }));
  all.sort((a, b) => b.won - a.won || low * (a.points - b.points));
  const same = (a, b) => a.won && b.won || (a.won === b.won && a.points === b.points);
  for (const [at, one] of all.entries()) one.place = at && same(all[at - 1], one) ? all[at - 1].place : at + 1;
  return all;
}

/** The podium of three, in an order that reads first to last for ears; where nobody has points, the winner alone has a place. */
export function podium() {
  const counts = hasPoints(state.table);
  const all = ranking().filter(({ won }) => counts || won);
  // Equals stand on steps together or not at all.
  const up = all.filter(({ place }) => all.filter((one) => one.place <= place).length <= STEPS);
  const step = (one, at) =>
    h(
      "li",
      { key: one.seat, class: `step place-${one.place} column-${columnOf(at, up.length)}${one.won ? " won" : ""}${one.team < 0 ? "" : ` of-team-${one.team}`}` },
      h("span", { class: "step-name" }, one.team < 0 ? null : teamMark(one.team), one.name),
      h("span", { class: "step-block" }, h("strong", { class: "step-place" }, String(one.place)), counts ? h("span", { class: "step-points" }, String(one.points)) : null),
    );
  const below = (one) => h("li", { key: one.seat }, h("span", {}, `${one.place}. ${one.name}`), h("strong", {}, String(one.points)));
  return h(
    "div",
    { class: "podium-box" },
    up.length ? h("ol", { class: `podium of-${up.length}`, "aria-label": t("play.scores") }, up.map(step)) : null,
    all.length > up.length ? h("ol", { class: "rest", start: up.length + 1 }, all.slice(up.length).map(below)) : null,
  );
}

/** A button that hands the picture of the game on. */
function sharePicture() {
  return h("button", { class: "wide", "data-do": "share-game", onclick: send }, icon("share"), t("scores.share"));
}

async function send() {
  try {
    const drawing = await file(`/tables/${state.table.id}/scores.svg`, { token: readToken() });
    await share(await pixels(drawing), `${t("scores.file")}.png`, t("scores.title"));
  } catch (error) {
    notify(troubleOf(error));
  }
}

// One game after the other: play again, end the game early, only keep score.

// What every deck is told; of the rest, what this table has chosen.
const COMMON = ["scoring", "target", "two_player_reverse"];
let decks = [];

/** After the game: another one with the same people and phones. */
export function again() {
  const next = isHost()
    ? h("button", { class: "main wide", "data-do": "again", onclick: openAgain }, t("again.title"))
    : h("p", { class: "muted" }, `${t("deal.over")} ${t("again.wait")}`);
  // At a club evening the next round is drawn.
  return h("section", { class: "stack", key: "again" }, state.table.tournament ? null : next, sharePicture());
}

function openAgain() {
  const { ruleset: last, options } = state.table;
  let ruleset = last;
  const choose = (id) => ((ruleset = id), redraw());
  get("/rulesets").then(
    ({ items }) => ((decks = items), redraw()),
    () => {},
  );
  const deckOf = (id) => decks.find((one) => one.id === id);
  const chosen = (name) => COMMON.includes(name) || JSON.stringify(options[name]) !== JSON.stringify(deckOf(last).usual[name]);
  const other = () => ({ ruleset, options: Object.fromEntries(deckOf(ruleset).options.filter((name) => name in options && chosen(name)).map((name) => [name, options[name]])) });
  openForm(
    t("again.title"),
    () => [
      h("p", {}, t("again.hint")),
      decks.length ? selectField(t("setup.deck"), decks.map(({ id, name }) => [id, name]), ruleset, choose, "next-deck") : null,
    ],
    { say: t("again.title"), over: anotherBegan(), send: () => attempt("POST", "/games", ruleset === last ? {} : other()) },
  );
}

/** For the host: what the table does, and the end of the game. */
export function gameSettings() {
  const { mode, round, state: now } = state.table;
  const playing = inRound(state.table);
  // What was chosen is shown until the server has heard of it.
  const wanted = state.waiting.find(({ path }) => path === "/mode")?.body.mode ?? mode;
  const set = (checked) => asHost("/mode", { mode: checked ? "score" : "referee" }, "mode", "PUT");
  return h(
    "section",
    { class: "stack" },
    checkField(t("setup.score-only"), wanted === "score", set, { "data-do": "score-only", disabled: playing }),
    h("p", { class: "small muted" }, t(playing ? "seats.wait" : "setup.score-hint")),
    round && now.winner === null ? h("button", { "data-do": "end-game", onclick: openEnd }, t("again.end")) : null,
  );
}

function openEnd() {
  const text = inRound(state.table) ? "again.end-round" : "again.end-hint";
  openForm(t("again.end"), () => h("p", {}, t(text)), {
    say: t("again.end-yes"),
    over: () => state.table.state.winner !== null,
    send: () => attempt("POST", "/games/end"),
  });
}
