// A stack of draw cards: how its sum has grown, and what it stands at.

import { h } from "../dom.js";
import { t } from "../texts.js";
import { state } from "../state.js";

/** How the sum has grown, `[2, 4, 6]`; nothing where no stack is running. */
export function sums() {
  const { stack } = state.table.state;
  const found = [];
  if (!stack) return found;
  for (const { kind, events = [], ruling, undone } of [...state.entries].reverse()) {
    if (kind === "round-opened") break;
    if (kind !== "moved" || undone || ruling?.verdict !== "legal") continue;
    const grown = events.find(({ event }) => event === "stacked");
    if (grown) found.unshift(grown.count);
    // What lies below the stack is no part of it.
    else if (events.some(({ event }) => event === "played" || event === "drew")) break;
  }
  return found.at(-1) === stack ? found : [stack];
}

/** The sums, the last one large; null where no stack is running. */
export function stackLine() {
  const all = sums();
  if (!all.length) return null;
  return h(
    "p",
    { class: "stack-line", key: `stack-${all.at(-1)}` },
    all.flatMap((sum, at) => [at ? h("span", { "aria-hidden": "true" }, "→") : null, at === all.length - 1 ? h("strong", {}, `+${sum}`) : h("span", {}, `+${sum}`)]),
    h("span", { class: "heard" }, t("play.cards", { count: all.at(-1) })),
  );
}
