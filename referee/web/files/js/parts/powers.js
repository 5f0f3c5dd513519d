// Towers and power stands: a mark for each, and what it does.

import { get } from "../api.js";
import { colorMark } from "../cards.js";
import { h, svg } from "../dom.js";
import { redraw, state } from "../state.js";
import { COLORS } from "../symbols.js";
import { sentences, t, word } from "../texts.js";
import { openDialog } from "./dialog.js";

const ANSWER = 2;

/** The mark of a tower (its icon, in its colour) or of a colour's power. */
export function powerMark(name) {
  if (COLORS.includes(name)) return colorMark(name);
  const color = word(state.table?.ruleset, "power_colors", name);
  return svg(
    "svg",
    { viewBox: "0 0 20 20", class: `mark tower${COLORS.includes(color) ? ` fill-${color}` : ""}`, "aria-hidden": "true" },
    svg("path", { d: "M4 19V7H2V2h3v2h3V2h4v2h3V2h3v5h-2v12Z" }),
    svg("text", { x: 10, y: 16, class: "mark-letter" }, name),
  );
}

/** What a power keeps off its holder, as a line; null if nothing. */
export function blocks(name) {
  const cards = word(state.table.ruleset, "power_blocks", name);
  return cards === name ? null : t("power.blocks", { cards });
}

/** A power as a button that tells what it does. */
export function powerButton(name) {
  const said = word(state.table.ruleset, "powers", name);
  return h("button", { class: "power", key: name, "aria-label": t("power.about", { power: said }), "data-do": `about-${name}`, onclick: () => openPower(name) }, powerMark(name));
}

function openPower(name) {
  const { ruleset } = state.table;
  let rule = null;
  let trouble = null;
  get(`/rulesets/${ruleset}/rules/${encodeURIComponent(word(ruleset, "power_rules", name))}`).then(
    (found) => ((rule = found), redraw()),
    () => ((trouble = t("link.lost")), redraw()),
  );
  openDialog(word(ruleset, "powers", name), () => [
    h("p", { class: "power-head" }, powerMark(name), h("strong", {}, blocks(name))),
    rule ? [h("p", {}, sentences(rule.text, ANSWER)), h("p", { class: "source" }, t("play.source", { source: rule.sheet }))] : null,
    trouble ? h("p", { class: "warn" }, trouble) : null,
  ]);
}
