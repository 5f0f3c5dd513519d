// Beginning a round: who deals, and which card was turned up.

import { post } from "../api.js";
import { cardFace } from "../cards.js";
import { h } from "../dom.js";
import { isHost, ownSeat, readToken, refresh, tokenFor, troubleOf } from "../session.js";
import { redraw, seated, state } from "../state.js";
import { t, word } from "../texts.js";
import { again } from "./again.js";
import { openDialog } from "./dialog.js";
import { selectField } from "./fields.js";
import { cardPicker } from "./picker.js";
import { openResult, resultPanel } from "./result.js";

/** The way to the next round or game; the others are told to wait. */
export function deal() {
  const { state: now, round, next_dealer: next, mode } = state.table;
  const deals = next !== null && next === ownSeat();
  if (now.winner !== null) return again();
  if (!isHost() && !deals) return h("p", { class: "muted" }, t("deal.wait"));
  if (mode === "score") return resultPanel();
  return h(
    "section",
    { class: "deal", key: "deal" },
    h("p", { class: "muted" }, t("deal.hint")),
    h("button", { class: "main wide", "data-do": "deal", onclick: openDeal }, round ? t("deal.next") : t("deal.first")),
    h("button", { class: "quiet wide", "data-do": "by-result", onclick: () => openResult() }, t("deal.by-result")),
  );
}

function openDeal() {
  const { ruleset, next_dealer: next, id } = state.table;
  let dealer = next ?? seated(state.table)[0].seat;
  let opening = [];
  let trouble = null;
  let busy = false;
  const picker = cardPicker({ ruleset, pick: (card) => ((opening = [...opening, card]), (trouble = null), redraw()) });
  const options = seated(state.table).map(({ seat, name }) => [String(seat), name]);

  async function start(close) {
    busy = true;
    redraw();
    try {
      await post(`/tables/${id}/rounds`, { opening, dealer }, { token: isHost() ? tokenFor(null) : readToken() });
      close();
      await refresh();
    } catch (error) {
      trouble = troubleOf(error);
    }
    busy = false;
    redraw();
  }

  openDialog(t("deal.title"), (close) => [
    selectField(t("deal.dealer"), options, String(dealer), (seat) => ((dealer = Number(seat)), redraw()), "dealer"),
    h("p", {}, opening.length ? t("deal.turned-up") : t("deal.turn-up")),
    h("div", { class: "hand" }, opening.map((card) => cardFace(card, { ruleset, small: true }))),
    trouble ? h("p", { class: "warn", role: "alert" }, trouble) : null,
    opening.length
      ? h(
          "div",
          { class: "row" },
          h("button", { onclick: () => ((opening = opening.slice(0, -1)), redraw()) }, t("deal.not-this")),
          h("button", { class: "main", disabled: busy, "data-do": "start", onclick: () => start(close) }, t("deal.start", { card: word(ruleset, "cards", opening.at(-1)) })),
        )
      : null,
    opening.length && !trouble ? null : picker(),
  ]);
}
