// Teams: each has a letter and a colour, and its members' points are added up.

import { h } from "../dom.js";
import { t } from "../texts.js";

const LETTERS = "ABCDE";

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

/** What each team has, in a line; null where everybody plays alone. */
export const teamTotals = (table) =>
  table.options.teams
    ? h("p", { class: "team-totals", key: "team-totals" }, sides(table).map(({ points, team }) => h("span", { key: team }, teamMark(team), t("wall.points", { count: points }))))
    : null;

/** Who is at the table, and whoever is out of the game. */
export const everybody = ({ seats, order }) => {
  const here = order ? order.map((seat) => seats[seat - 1]) : seats;
  return [...here, ...seats.filter(({ out }) => out)];
};
