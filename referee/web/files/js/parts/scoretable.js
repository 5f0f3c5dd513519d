// The score sheet as a table: a line a round, what it brought each seat, and the totals.

import { h } from "../dom.js";
import { t } from "../texts.js";

// Names that are longer stand upright on a phone, so that the points of four stand side by side.
const SHORT = 5;

/** The table of a sheet as the API has it. It scrolls sideways where many play. */
export function scoreTable({ seats, rounds, scores, winner }) {
  const won = new Set([winner ?? []].flat());
  const upright = seats.some((name) => name.length > SHORT);
  return h(
    "div",
    { class: "scroll", role: "region", tabindex: "0", "aria-label": t("scores.rounds") },
    h(
      "table",
      { class: upright ? "sheet-table upright" : "sheet-table" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("scores.round")), seats.map((name) => h("th", { scope: "col" }, h("span", {}, name))))),
      h("tbody", {}, rounds.map(line)),
      h(
        "tfoot",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "row" }, t("scores.total")),
          scores.map((points, i) => h("td", { class: won.has(i + 1) ? "won" : "" }, String(points))),
        ),
      ),
    ),
  );
}

function line({ round, points, winner }) {
  return h(
    "tr",
    { key: round },
    h("th", { scope: "row" }, String(round)),
    points.map((value, i) =>
      h(
        "td",
        { class: winner === i + 1 ? "out" : "" },
        value === null ? "" : value ? `+${value}`.replace("+-", "−") : "0",
        winner === i + 1 ? h("span", { class: "heard" }, ` ${t("scores.out")}`) : null,
      ),
    ),
  );
}
