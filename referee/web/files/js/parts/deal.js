// Beginning a round: who deals, and which card was turned up.

import { post } from "../api.js";
import { cardFace } from "../cards.js";
import { h } from "../dom.js";
import { hasLeft, isHost, ownSeat, readToken, refresh, tokenFor, troubleOf } from "../session.js";
import { redraw, seated, state } from "../state.js";
import { t, word } from "../texts.js";
import { again } from "./again.js";
import { openDialog } from "./dialog.js";
import { selectField } from "./fields.js";
import { cardPicker } from "./picker.js";
import { openResult, resultPanel } from "./result.js";

// Cards that everybody is dealt, where the table has settled nothing else.
const HAND = 7;

// Hosts do, and whoever deals next.
const starts = () => isHost() || (state.table.next_dealer !== null && state.table.next_dealer === ownSeat());

/** What there is to say before the next round; the others are told to wait, and, if `named`, who deals. */
export function deal(named = false) {
  const { state: now, mode, next_dealer: next, seats, options } = state.table;
  if (now.winner !== null) return null;
  // Whoever has left reads that alone.
  if (!starts()) return hasLeft() ? null : h("p", { class: "muted" }, named && next ? `${t("deal.found", { seat: seats[next - 1].name })} ` : null, t("deal.wait"));
  if (mode === "score") return resultPanel();
  return h(
    "section",
    { class: "deal", key: "deal" },
    h("p", { class: "muted" }, t("deal.hint", { count: options.hand_size ?? HAND })),
    h("button", { class: "quiet wide", "data-do": "by-result", onclick: () => openResult() }, t("deal.by-result")),
  );
}

/** What is next, in reach of the thumb: the next round, or another game. */
export function dealFoot() {
  const { state: now, mode } = state.table;
  const next =
    now.winner !== null
      ? again()
      : starts() && mode !== "score"
        ? h("button", { class: "main wide", "data-do": "deal", onclick: openDeal }, t("deal.next"))
        : null;
  return next ? h("div", { class: "start-foot", key: "start-foot" }, next) : null;
}

/** Ask who deals and what was turned up, and begin. */
export function openDeal() {
  const { ruleset, next_dealer: next, id } = state.table;
  let dealer = next ?? seated(state.table)[0].seat;
  let opening = [];
  let trouble = null;
  let busy = false;
  const pick = (card) => ((opening = [...opening, card]), (trouble = null), redraw());
  const picker = cardPicker({ ruleset, pick });
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
