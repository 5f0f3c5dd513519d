// What happened last, the newest on top; of a ruling the rule and its source ("why?").

import { get } from "../api.js";
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { asHost, isHost } from "../session.js";
import { redraw, state } from "../state.js";
import { t } from "../texts.js";
import { openDialog } from "./dialog.js";

const SHOWN = 6;

/** What happened last that the table should know. */
export function rulings(count = SHOWN) {
  const told = state.entries.filter(isTold).slice(-count).reverse();
  return h(
    "section",
    { class: "rulings" },
    h("h2", {}, t("play.rulings")),
    h("ol", { reversed: true }, told.map(item)),
    told.length ? null : h("p", { class: "muted" }, t("play.no-rulings")),
  );
}

/** Whether there is something to read in an entry. */
export const isTold = (entry) =>
  Boolean(entry.ruling || entry.announcements?.length || entry.kind === "round-opened");

/** The words of an entry: what happened, and if it was illegal why. */
export function wordsOf(entry) {
  const { ruling } = entry;
  if (ruling?.verdict === "illegal") return [ruling.text, ruling.put_right].filter(Boolean);
  return entry.announcements?.length ? entry.announcements : ruling ? [ruling.text] : [];
}

function item(entry) {
  const illegal = entry.ruling?.verdict === "illegal";
  const name = entry.move?.seat ? state.table.seats[entry.move.seat - 1]?.name : null;
  return h(
    "li",
    { key: entry.id, class: illegal ? "illegal" : "" },
    h(
      "div",
      { class: "said" },
      illegal
        ? h("strong", { class: "verdict" }, icon("warn"), name ? t("play.illegal-by", { seat: name }) : t("play.illegal"))
        : null,
      wordsOf(entry).map((text) => h("p", {}, text)),
    ),
    entry.ruling
      ? h("button", { class: "why", onclick: () => openWhy(entry), "aria-label": t("play.why-of", { text: wordsOf(entry)[0] ?? "" }) }, t("play.why"))
      : null,
  );
}

/** The rule behind a ruling, and where it stands; for the host also how to set it right. */
export function openWhy(entry) {
  const { ruling, round, number } = entry;
  const { id, ruleset } = state.table;
  let rule = null;
  let trouble = null;
  get(`/rulesets/${ruleset}/rules/${encodeURIComponent(ruling.rule)}`).then(
    (found) => ((rule = found), redraw()),
    (error) => ((trouble = error.status === 404 ? null : t("link.lost")), redraw()),
  );
  const other = ruling.verdict === "legal" ? "illegal" : "legal";
  const correct = (body, close) => () => {
    close();
    asHost("/corrections", { round, move: number, ...body }, body.kind);
  };
  openDialog(t("play.why"), (close) => [
    wordsOf(entry).map((text) => h("p", { class: "said" }, text)),
    rule ? [h("h3", {}, rule.title), h("p", {}, rule.text)] : null,
    trouble ? h("p", { class: "warn" }, trouble) : null,
    ruling.source ? h("p", { class: "source" }, t("play.source", { source: ruling.source })) : null,
    isHost() && number
      ? h(
          "div",
          { class: "stack" },
          h("button", { onclick: correct({ kind: "undo" }, close), "data-do": "undo" }, icon("undo"), t("host.undo-this")),
          h("button", { onclick: correct({ kind: "overrule", verdict: other }, close), "data-do": "overrule" }, t(`host.overrule-${other}`)),
        )
      : null,
    h("p", { class: "small muted" }, `${ruling.rule} · ${id}`),
  ]);
}
