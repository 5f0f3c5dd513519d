// Towers and power stands: a mark for each, and who has it.

import { colorMark } from "../cards.js";
import { svg } from "../dom.js";
import { COLORS } from "../symbols.js";

/** The mark of a tower (its icon) or of a colour's power. */
export function powerMark(name) {
  if (COLORS.includes(name)) return colorMark(name);
  return svg(
    "svg",
    { viewBox: "0 0 20 20", class: "mark tower", "aria-hidden": "true" },
    svg("path", { d: "M4 19V7H2V2h3v2h3V2h4v2h3V2h3v5h-2v12Z" }),
    svg("text", { x: 10, y: 16, class: "mark-letter" }, name),
  );
}
