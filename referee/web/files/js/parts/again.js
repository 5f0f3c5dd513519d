// One game after the other: play again, end the game early, only keep score.

import { get } from "../api.js";
import { h } from "../dom.js";
import { asHost, attempt, isHost } from "../session.js";
import { inRound, redraw, state } from "../state.js";
import { t } from "../texts.js";
import { checkField, selectField } from "./fields.js";
import { openForm } from "./form.js";
import { sharePicture } from "./podium.js";

// What every deck is told; of the rest, what this table has chosen.
const COMMON = ["scoring", "target", "two_player_reverse"];
let decks = [];

/** After the game: another one with the same people and phones. */
export function again() {
  const next = isHost()
    ? h("button", { class: "main wide", "data-do": "again", onclick: openAgain }, t("again.title"))
    : h("p", { class: "muted" }, `${t("deal.over")} ${t("again.wait")}`);
  return h("section", { class: "stack", key: "again" }, next, sharePicture());
}

function openAgain() {
  const { ruleset: last, options } = state.table;
  let ruleset = last;
  const choose = (id) => ((ruleset = id), redraw());
  get("/rulesets").then(
    ({ items }) => ((decks = items), redraw()),
    () => {},
  );
  const deckOf = (id) => decks.find((one) => one.id === id);
  const chosen = (name) => COMMON.includes(name) || JSON.stringify(options[name]) !== JSON.stringify(deckOf(last).usual[name]);
  const other = () => ({ ruleset, options: Object.fromEntries(deckOf(ruleset).options.filter((name) => name in options && chosen(name)).map((name) => [name, options[name]])) });
  openForm(
    t("again.title"),
    () => [
      h("p", {}, t("again.hint")),
      decks.length ? selectField(t("setup.deck"), decks.map(({ id, name }) => [id, name]), ruleset, choose, "next-deck") : null,
    ],
    { say: t("again.title"), send: () => attempt("POST", "/games", ruleset === last ? {} : other()) },
  );
}

/** For the host: what the table does, and the end of the game. */
export function gameSettings() {
  const { mode, round, state: now } = state.table;
  const playing = inRound(state.table);
  // What was chosen is shown until the server has heard of it.
  const wanted = state.waiting.find(({ path }) => path === "/mode")?.body.mode ?? mode;
  const set = (checked) => asHost("/mode", { mode: checked ? "score" : "referee" }, "mode", "PUT");
  return h(
    "section",
    { class: "stack" },
    checkField(t("setup.score-only"), wanted === "score", set, { "data-do": "score-only", disabled: playing }),
    h("p", { class: "small muted" }, t(playing ? "seats.wait" : "setup.score-hint")),
    round && now.winner === null ? h("button", { "data-do": "end-game", onclick: openEnd }, t("again.end")) : null,
  );
}

function openEnd() {
  const text = inRound(state.table) ? "again.end-round" : "again.end-hint";
  openForm(t("again.end"), () => h("p", {}, t(text)), {
    say: t("again.end-yes"),
    send: () => attempt("POST", "/games/end"),
  });
}
