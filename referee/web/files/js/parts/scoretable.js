// The score sheet as a table: a line for each seat, the best first, with its total and what each round brought.

import { h } from "../dom.js";
import { t } from "../texts.js";
import { LOWEST_WINS } from "./podium.js";
import { markOf } from "./teams.js";

/** The table of a sheet as the API has it. Names and totals stay in view; the rounds, the last one first, scroll. */
export function scoreTable({ seats, rounds, scores, winner, options }) {
  const won = new Set([winner ?? []].flat());
  const low = LOWEST_WINS.includes(options.scoring) ? 1 : -1;
  const order = seats.map((_, at) => at).sort((a, b) => won.has(b + 1) - won.has(a + 1) || low * (scores[a] - scores[b]));
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
