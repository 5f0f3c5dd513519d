// The scores between two rounds and after the game, in one line each.

import { h } from "../dom.js";
import { state } from "../state.js";
import { t } from "../texts.js";

/** Who has won a game, alone or with others. */
export const wonBy = (names) => t(names.length > 1 ? "play.game-shared" : "play.game-won", { seat: names.join(", ") });

/** Who has won, and everybody's points, the best first once the game is over. */
export function scoreLine() {
  const { seats, state: now, options } = state.table;
  const winners = [now.winner ?? []].flat();
  const names = winners.map((seat) => seats[seat - 1].name);
  const low = options.scoring === "low" ? -1 : 1;
  const rank = ({ seat }) => (winners.includes(seat) ? Infinity : low * now.scores[seat - 1]);
  const lines = winners.length ? [...seats].sort((a, b) => Number(rank(b) > rank(a)) - Number(rank(b) < rank(a))) : seats;
  const first = now.round_winner ? t("play.round-won", { seat: seats[now.round_winner - 1].name }) : t("play.scores");
  return h(
    "section",
    { class: "scores", "aria-label": t("play.scores") },
    h("h2", {}, winners.length ? wonBy(names) : first),
    h(
      winners.length ? "ol" : "ul",
      {},
      lines.map(({ seat, name, in: here }) =>
        h(
          "li",
          { key: seat, class: winners.includes(seat) ? "won" : "" },
          h("span", {}, name, here === false ? h("span", { class: "you" }, t("seats.gone")) : null),
          h("strong", {}, String(now.scores[seat - 1] ?? 0)),
        ),
      ),
    ),
  );
}
