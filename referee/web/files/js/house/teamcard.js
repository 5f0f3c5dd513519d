// Who plays with whom: everybody by name, with a letter that a tap changes.

import { h } from "../dom.js";
import { teamMark } from "../parts/teams.js";
import { t, word } from "../texts.js";
import { picture } from "./pictures.js";

const FEWEST = 4;

/** Whether these are teams for so many seats: two at least, of two at least, all of one size. */
const evenly = (teams, count) => teams.length > 1 && teams[0].length > 1 && teams.every((team) => team.length === teams[0].length) && teams.flat().length === count;

/** The card that makes teams of the names; `put(teams)` has their seats, undefined for none. */
export function teamCard({ deck, options, names, put }) {
  const { teams } = options;
  const enough = names.length >= FEWEST && names.length % 2 === 0;
  const places = names.map((_, at) => (teams ?? []).findIndex((team) => team.includes(at + 1)));
  const grouped = (of) => Array.from({ length: Math.max(...of) + 1 }, (_, team) => of.flatMap((one, at) => (one === team ? [at + 1] : [])));
  const next = (at) => places.map((place, one) => (one === at ? (place + 1) % (names.length / 2) : place));
  // Opposite each other, as partners sit.
  const turn = (event) => put(event.target.checked ? grouped(names.map((_, at) => at % 2)) : undefined);
  return h(
    "div",
    { class: `rule-card${teams ? " on" : ""}`, key: "teams" },
    h(
      "label",
      { class: "rule-head" },
      picture("teams"),
      h("span", { class: "rule-said" }, h("strong", {}, word(deck.id, "options", "teams")), h("span", { class: "small" }, word(deck.id, "options", "teams.text"))),
      h("input", { type: "checkbox", role: "switch", class: "switch", checked: Boolean(teams), disabled: !enough && !teams, "data-do": "rule-teams", onchange: turn }),
    ),
    !enough || (teams && !evenly(teams, names.length)) ? h("p", { class: "small refused ways" }, t("teams.need")) : null,
    teams && enough
      ? h(
          "div",
          { class: "ways", role: "group", "aria-label": t("teams.hint") },
          h("p", { class: "small" }, t("teams.hint")),
          h(
            "div",
            { class: "row" },
            names.map((name, at) => h("button", { type: "button", key: at, "data-do": `team-${at + 1}`, onclick: () => put(grouped(next(at))) }, places[at] < 0 ? null : teamMark(places[at]), name)),
          ),
        )
      : null,
  );
}
