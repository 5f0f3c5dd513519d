// How a phone stands over the pile, as a drawing.

import { svg } from "../dom.js";
import { t } from "../texts.js";

const line = (d, more = {}) => svg("path", { d, ...more });
const book = (y, x, width) => svg("rect", { x, y, width, height: 15, rx: 3 });

/** A phone that lies on a stack of books, its end over the pile, and how high that is. */
export function mounting() {
  return svg(
    "svg",
    { viewBox: "0 0 320 200", class: "mounting", role: "img", "aria-label": t("camera.drawing") },
    svg("path", { d: "M150 50 90 178h116z", class: "sight" }),
    line("M12 182h296", { class: "thick" }),
    book(166, 218, 88),
    book(150, 226, 76),
    book(134, 220, 84),
    book(118, 228, 72),
    book(102, 222, 80),
    book(86, 230, 68),
    book(70, 224, 78),
    book(54, 228, 72),
    svg("rect", { x: 128, y: 38, width: 140, height: 13, rx: 5, class: "phone" }),
    svg("circle", { cx: 150, cy: 53, r: 3.5, class: "phone" }),
    svg("rect", { x: 116, y: 176, width: 34, height: 5, rx: 1.5, class: "laid", transform: "rotate(-3 130 178)" }),
    svg("rect", { x: 140, y: 176, width: 34, height: 5, rx: 1.5, class: "laid" }),
    line("M40 54v120M34 60l6-8 6 8M34 168l6 8 6-8"),
    svg("text", { x: 50, y: 120 }, "30–60 cm"),
  );
}
