// What happened last, the newest on top; of a ruling the rule and its source ("why?").

import { get } from "../api.js";
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { isHost, ownSeat } from "../session.js";
import { redraw, state } from "../state.js";
import { sentences, t } from "../texts.js";
import { askFirst, ownLast } from "./corrections.js";
import { openDialog } from "./dialog.js";
import { canMend, mendButtons } from "./mend.js";

const SHOWN = 6;
// "Why?" is answered in so many sentences.
const ANSWER = 2;

/** What happened last that the table should know; `say` stands where an entry can be set right. */
export function rulings(count = SHOWN, say = "play.why") {
  const told = state.entries.filter(isTold).slice(-count).reverse();
  return h(
    "section",
    { class: "rulings" },
    h("h2", {}, t("play.rulings")),
    h("ol", { reversed: true }, told.map((entry) => item(entry, say))),
    told.length ? null : h("p", { class: "muted" }, t("play.no-rulings")),
  );
}

/** Whether there is something to read in an entry. */
export const isTold = (entry) =>
  Boolean(entry.ruling || entry.announcements?.length || entry.kind === "round-opened");

/** Whether an entry is an illegal move that stands; a correction may have entered one, too. */
export const isIllegal = (entry) =>
  entry.ruling?.verdict === "illegal" && entry.kind !== "corrected" && !entry.undone;

/** The words of an entry: what happened, and if it was illegal why. */
export function wordsOf(entry) {
  const { ruling } = entry;
  if (ruling?.verdict === "illegal" && entry.kind !== "corrected") return [ruling.text, ruling.put_right].filter(Boolean);
  return entry.announcements?.length ? entry.announcements : ruling ? [ruling.text] : [];
}

/** The class of an entry in a list. */
export const classOf = (entry) => (entry.undone ? "undone" : isIllegal(entry) ? "illegal" : "");

/** That a move was illegal, and whose it was. */
export function verdict({ move }) {
  const name = move?.seat ? state.table.seats[move.seat - 1]?.name : null;
  return h("strong", { class: "verdict" }, icon("warn"), name ? t("play.illegal-by", { seat: name }) : t("play.illegal"));
}

function item(entry, say) {
  return h(
    "li",
    { key: entry.id, class: classOf(entry) },
    h(
      "div",
      { class: "said" },
      entry.undone ? h("small", { class: "tag" }, t("play.undone")) : null,
      isIllegal(entry) ? verdict(entry) : null,
      wordsOf(entry).map((text) => h("p", {}, entry.undone ? h("s", {}, text) : text)),
    ),
    entry.ruling
      ? why(entry, canMend(entry) ? say : "play.why", openWhy)
      : canMend(entry)
        ? why(entry, "host.set-right", openMend)
        : null,
  );
}

function why(entry, say, open) {
  const text = wordsOf(entry)[0] ?? "";
  const label = say === "play.why" ? t("play.why-of", { text }) : `${t(say)}: ${text}`;
  return h("button", { class: "why", onclick: () => open(entry), "aria-label": label }, t(say));
}

// All of it, for whoever wants to look it up: what followed, the whole rule, where it stands.
function details(entry, rule, ruling, table) {
  return h(
    "details",
    { class: "house", key: "details" },
    h("summary", {}, t("play.details")),
    isIllegal(entry) ? null : wordsOf(entry).map((text) => h("p", {}, text)),
    rule ? [h("h3", {}, rule.title), h("p", {}, rule.text)] : null,
    ruling.source ? h("p", { class: "small muted" }, ruling.source) : null,
    h("p", { class: "small muted" }, `${ruling.rule} · ${table}`),
  );
}

// An entry as it stands now: it may have been undone since it was looked at.
const asItIs = (entry) => state.entries.find(({ id }) => id === entry.id) ?? entry;

/** What the host can set right about an entry without a ruling. */
function openMend(entry) {
  openDialog(t("host.set-right"), () => [
    wordsOf(entry).map((text) => h("p", { class: "said" }, text)),
    canMend(asItIs(entry)) ? mendButtons(entry) : h("p", { class: "muted" }, t("play.undone")),
  ]);
}

/** The rule behind a ruling, and where it stands; for the host also how to set it right. */
export function openWhy(entry) {
  const { ruling } = entry;
  const { id, ruleset } = state.table;
  let rule = null;
  let trouble = null;
  get(`/rulesets/${ruleset}/rules/${encodeURIComponent(ruling.rule)}`).then(
    (found) => ((rule = found), redraw()),
    (error) => ((trouble = error.status === 404 ? null : t("link.lost")), redraw()),
  );
  const takeBack = () => askFirst({ kind: "undo" }, { seat: ownSeat() });
  openDialog(t("play.why"), () => [
    isIllegal(entry)
      ? wordsOf(entry).map((text) => h("p", { class: "said" }, text))
      : rule
        ? [h("h3", {}, rule.title), h("p", { class: "said" }, sentences(rule.text, ANSWER))]
        : null,
    trouble ? h("p", { class: "warn" }, trouble) : null,
    rule ? h("p", { class: "source" }, t("play.source", { source: rule.sheet })) : null,
    !isHost() && ownLast()?.id === entry.id
      ? h("button", { onclick: takeBack, "data-do": "take-back" }, icon("undo"), t("host.take-back"))
      : null,
    canMend(asItIs(entry)) ? mendButtons(entry) : null,
    details(entry, rule, ruling, id),
  ]);
}
