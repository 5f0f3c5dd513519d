// House rules changed between two rounds: one proposes, everybody answers, and all see who still has to.

import { get } from "../api.js";
import { h, icon } from "../dom.js";
import { attempt, isHost, ownSeat } from "../session.js";
import { inRound, notify, redraw, seated, state } from "../state.js";
import { t } from "../texts.js";
import { begin, houseChoice, stated } from "../house/choice.js";
import { openDialog } from "../parts/dialog.js";
import { ruleList } from "../parts/house.js";
import { answering, answers, listed } from "../parts/lobby.js";

// What the rounds of one game have in common cannot be changed between them.
const SETTLED = new Set(["scoring", "target", "rounds", "teams", "wild_tower_points", "custom_cards"]);

const between = () => !inRound(state.table) && state.table.state.winner === null;

/** What is proposed, with what this phone may answer. */
export function approval() {
  const { house_proposal: found } = state.table;
  return found && between() ? proposal(found) : null;
}

/** Whether this phone has to answer what is proposed. */
export const mustAnswer = () => between() && answering(state.table.house_proposal?.waiting_for ?? []).length > 0;

/** The way to propose other rules, for who plays or is host. */
export function changeRules() {
  const { house_proposal: found, tournament } = state.table;
  if (!between() || found) return null;
  if (!(isHost() || ownSeat() !== null) || tournament || seated(state.table).length < 2) return null;
  return h("button", { class: "quiet wide", key: "propose-rules", "data-do": "propose-rules", onclick: openProposal }, icon("book"), t("approval.change"));
}

const nameOf = (seat) => state.table.seats[seat - 1].name;

function proposal({ id, seat, changes, approved, waiting_for: waiting, agreed }) {
  const answer = (one, approve) => act("POST", `/${id}/answers`, { approve, seat: one }, one);
  const said = seat === null ? t("approval.by-host") : t("approval.by", { seat: nameOf(seat) });
  return h(
    "section",
    { class: "ask-card approval", key: `approval-${id}`, "aria-label": said, "data-do": "approval" },
    h("p", { class: "ask" }, icon(agreed ? "check" : "ask"), said),
    ruleList(state.table.ruleset, changes),
    agreed
      ? h("p", { role: "status" }, t("approval.agreed"))
      : [
          h("p", { class: "small", role: "status" }, t("custom.missing", { seats: listed(waiting) })),
          approved.length ? h("p", { class: "small muted" }, t("approval.yes-from", { seats: listed(approved) })) : null,
          answers(waiting, { yes: t("approval.yes"), no: t("approval.no"), what: "rules-", send: answer }),
          h("p", { class: "small muted" }, t("approval.until")),
        ],
    !agreed && (isHost() || (seat !== null && seat === ownSeat()))
      ? h("button", { class: "quiet", "data-do": "withdraw-rules", onclick: () => act("DELETE", `/${id}`, undefined, isHost() ? null : seat) }, t("custom.withdraw"))
      : null,
  );
}

async function act(method, path, body, seat) {
  notify(await attempt(method, `/house-rules${path}`, body, seat));
}

function openProposal() {
  const { ruleset, options } = state.table;
  let deck = null;
  let chosen = null;
  let trouble = null;
  begin();
  get(`/rulesets/${ruleset}`).then(
    (found) => {
      deck = { ...found, house_rules: found.house_rules.filter(({ option }) => !SETTLED.has(option)) };
      redraw();
    },
    () => ((trouble = t("link.lost")), redraw()),
  );
  const put = (wanted) => {
    chosen = wanted;
    trouble = null;
    redraw();
  };
  const send = async (close) => {
    const mine = ownSeat();
    trouble = await attempt("POST", "/house-rules", { options: stated(deck, chosen), ...(mine === null ? {} : { seat: mine }) }, mine);
    if (trouble) redraw();
    else close();
  };
  openDialog(t("approval.change"), (close) => [
    h("p", { class: "muted" }, t("approval.hint")),
    deck ? houseChoice({ deck, options: chosen ?? stated(deck, options), put, seats: seated(state.table).length }) : null,
    trouble ? h("p", { class: "warn", role: "alert" }, trouble) : null,
    h("button", { class: "main wide", disabled: !chosen, "data-do": "send-proposal", onclick: () => send(close) }, t("approval.ask")),
  ]);
}
