// The scores between two rounds, in one line each; after the game a podium.

import { h } from "../dom.js";
import { state } from "../state.js";
import { t } from "../texts.js";
import { bannerNow } from "./banner.js";
import { LOWEST_WINS, podium } from "./podium.js";
import { sides, teamMark } from "./teams.js";

/** Who has won a game, alone or with others. */
export const wonBy = (names) => t(names.length > 1 ? "play.game-shared" : "play.game-won", { seat: names.join(", ") });

/** Everybody's points after a round; after the game who has won, and who stands where. */
export function scoreLine() {
  const { seats, state: now, options } = state.table;
  const winners = [now.winner ?? []].flat();
  if (winners.length) return end(winners.map((seat) => seats[seat - 1].name));
  const first = now.round_winner ? t("play.round-won", { seat: seats[now.round_winner - 1].name }) : t("play.scores");
  const low = LOWEST_WINS.includes(options.scoring) ? 1 : -1;
  const points = (seat) => now.scores[seat - 1] ?? 0;
  const best = [...seats].sort((a, b) => low * (points(a.seat) - points(b.seat)));
  return h(
    "section",
    { class: "scores", "aria-label": t("play.scores") },
    // A banner says it larger.
    h("h2", { class: bannerNow() ? "heard" : null }, first),
    options.teams ? teamLines() : h(
      "ul",
      {},
      best.map(({ seat, name, in: here, out }) =>
        h(
          "li",
          { key: seat, class: now.round_winner === seat ? "won" : "" },
          h("span", {}, name, here === false ? h("span", { class: "you" }, t(out ? "teams.out" : "seats.gone")) : null),
          h("strong", {}, String(points(seat))),
          options.target ? h("progress", { key: `of-${points(seat)}`, max: options.target, value: points(seat), "aria-hidden": "true" }) : null,
        ),
      ),
    ),
  );
}

// A line a team, with what its members have brought.
function teamLines() {
  const { seats, state: now, options } = state.table;
  const share = (seat) => `${seats[seat - 1].name} ${now.scores[seat - 1] ?? 0}`;
  return h(
    "ul",
    {},
    sides(state.table).map(({ seats: members, points, team }) =>
      h(
        "li",
        { key: team, class: `side of-team-${team}${members.includes(now.round_winner) ? " won" : ""}` },
        h("span", {}, teamMark(team), members.map(share).join(" + ")),
        h("strong", {}, String(points)),
        options.target ? h("progress", { key: `of-${points}`, max: options.target, value: points, "aria-hidden": "true" }) : null,
      ),
    ),
  );
}

const end = (names) =>
  h("section", { class: "scores end", "aria-label": t("play.scores") }, h("h2", {}, wonBy(names)), podium());
