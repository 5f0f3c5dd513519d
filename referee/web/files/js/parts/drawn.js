// How many cards somebody has drawn, where one goes on until a card fits: one tap on the number.

import { h } from "../dom.js";
import { move } from "../session.js";
import { redraw } from "../state.js";
import { t } from "../texts.js";
import { openDialog } from "./dialog.js";

// So many have a button of their own; more are counted on from there.
const AT_HAND = 12;

/** Ask how many, and draw. `most` are there. */
export function openDrawn({ seat, most }) {
  let count = AT_HAND + 1;
  const go = (to) => () => ((count = to), redraw());
  openDialog(t("act.drawn"), (close) => {
    const draw = (drawn) => () => (close(), move({ seat, move: "draw", count: drawn }, "draw"));
    const few = Array.from({ length: Math.min(AT_HAND, most) }, (_, at) => at + 1);
    return [
      h("p", { class: "muted" }, t("act.drawn-hint")),
      h("div", { class: "numbers" }, few.map((one) => h("button", { key: one, class: one === 1 ? "main" : "", "data-do": `draw-${one}`, "aria-label": t("play.cards", { count: one }), onclick: draw(one) }, String(one)))),
      most > AT_HAND
        ? h(
            "div",
            { class: "numbers-more" },
            h("button", { disabled: count <= AT_HAND + 1, "aria-label": t("act.drawn-less"), "data-do": "drawn-less", onclick: go(count - 1) }, "−"),
            h("button", { "data-do": "draw-more", "aria-label": t("play.cards", { count }), onclick: draw(count) }, String(count)),
            h("button", { disabled: count >= most, "aria-label": t("act.drawn-more"), "data-do": "drawn-more", onclick: go(count + 1) }, "+"),
          )
        : null,
    ];
  });
}
