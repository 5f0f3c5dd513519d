// The scores between two rounds, in one line each.

import { h } from "../dom.js";
import { state } from "../state.js";
import { t } from "../texts.js";

/** Who has won, and everybody's points. */
export function scoreLine() {
  const { seats, state: now } = state.table;
  const winners = [now.winner ?? []].flat();
  const names = winners.map((seat) => seats[seat - 1].name).join(", ");
  const first = now.round_winner ? seats[now.round_winner - 1].name : "";
  return h(
    "section",
    { class: "scores", "aria-label": t("play.scores") },
    h("h2", {}, winners.length ? t("play.game-won", { seat: names }) : t("play.round-won", { seat: first })),
    h(
      "ul",
      {},
      seats.map(({ seat, name }) => h("li", { key: seat }, h("span", {}, name), h("strong", {}, String(now.scores[seat - 1])))),
    ),
  );
}
