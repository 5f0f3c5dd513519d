// What only the host does: setting the game right, letting people in.

import { h, icon } from "../dom.js";
import { askFirst, redo, rounds } from "../parts/corrections.js";
import { gameSettings } from "../parts/podium.js";
import { groupSettings } from "../groups.js";
import { selectField, later } from "../parts/dialog.js";
import { invite } from "../parts/invite.js";
import { listed, rulings } from "../parts/rulings.js";
import { places } from "../parts/mine.js";
import { isHost, lookBack } from "../session.js";
import { inRound, redraw, seated, state } from "../state.js";
import { t } from "../texts.js";

const machines = later(() => import("../parts/devices.js"));
const SHOWN = 12;
const MORE = 20;
let shown = SHOWN;
let lookedFrom = null;
let seat = 1;
let count = "";

export const host = {
  path: "/t/:table/host",
  needsTable: true,
  reminds: true,
  forHost: true,
  title: () => t("host.title"),
  back: ({ table }) => `/t/${table}`,
  tab: { icon: "tools", label: "nav.host" },
  enter: () => ((shown = SHOWN), (lookedFrom = null)),
  render: () =>
    isHost()
      ? h(
          "div",
          { class: "stack" },
          h("a", { class: "button wide", href: `/t/${state.table.id}/seats`, "data-do": "seats" }, icon("people"), t("seats.title")),
          setRight(),
          rulings(shown, "host.set-right", { whole: true }),
          older(),
          state.table.round ? fold(t("mend.rounds"), rounds()) : null,
          inRound(state.table) ? fold(t("host.hand-count"), handCount()) : null,
          fold(t("again.settings"), gameSettings()),
          state.table.tournament ? null : fold(t("people.title"), groupSettings()),
          fold(t("invite.title"), [invite(), places()]),
          fold(t("devices.title"), machines()?.devices() ?? null),
        )
      : h("p", { class: "muted" }, t("host.only")),
};

// Entries after which there is something to set right.
const BEGUN = ["round-opened", "round-counted", "moved", "corrected", "seats-changed", "game-ended"];

const fold = (title, content) => h("details", { class: "house", key: title }, h("summary", {}, title), content);

const hasBegun = () => state.entries.some(({ kind }) => BEGUN.includes(kind));

// A camera may have told more than is kept since the last move. What could not be read is not asked for again; nor is
// anything before the newest entries are there, which take the place of those that were seen last.
function lookForMoves() {
  const first = state.entries[0]?.id ?? 1;
  if (state.link === "live" && first > 1 && first !== lookedFrom && state.table.round && !hasBegun()) {
    lookedFrom = first;
    lookBack();
  }
}

// The log goes back to the beginning.
function older() {
  lookForMoves();
  if (!state.entries.length || (state.entries[0].id <= 1 && listed(true).length <= shown)) return null;
  const look = async () => {
    shown += MORE;
    if (listed(true).length < shown && state.entries[0].id > 1) await lookBack();
    redraw();
  };
  return h("button", { class: "quiet wide", key: "older", "data-do": "older", onclick: look }, t("host.older"));
}

function setRight() {
  if (!state.table.round && !hasBegun()) return h("p", { class: "muted" }, t("host.nothing"));
  return h(
    "section",
    { class: "stack" },
    h("h2", {}, t("host.set-right")),
    h("p", { class: "muted" }, t("host.nothing-lost")),
    h(
      "button",
      { "data-do": "undo-last", onclick: () => askFirst({ kind: "undo" }) },
      icon("undo"),
      t("host.undo"),
    ),
    redo(),
    inRound(state.table)
      ? h("button", { "data-do": "break-off", onclick: () => askFirst({ kind: "break-off" }) }, t("host.break-off"))
      : null,
  );
}

// What a hand can hold at most: itself and the draw pile; who holds nothing has gone out.
const mostCards = () => state.table.state.hands[seat - 1] + state.table.state.draw_pile;

function handCount() {
  const send = (event) => {
    event.preventDefault();
    askFirst({ kind: "hand-count", seat, count: Number(count) });
    count = "";
    event.target.reset();
  };
  const options = seated(state.table).map((one) => [String(one.seat), one.name]);
  return h(
    "form",
    { class: "stack", onsubmit: send },
    selectField(t("host.whose"), options, String(seat), (value) => ((seat = Number(value)), redraw()), "whose"),
    h(
      "div",
      { class: "field" },
      h("label", { for: "hand-count" }, t("host.cards")),
      h("input", { id: "hand-count", type: "number", inputmode: "numeric", min: 1, max: mostCards(), required: true, oninput: (event) => (count = event.target.value) }),
    ),
    h("button", { "data-do": "set-count" }, t("host.set")),
  );
}
