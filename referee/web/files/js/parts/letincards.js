// For a host: a card for whoever asks to be the table's camera or board, or one line for several of them.

import { alongKey, named } from "../along.js";
import { call, post } from "../api.js";
import { h, icon } from "../dom.js";
import { tokenFor, troubleOf } from "../session.js";
import { notify, redraw, state } from "../state.js";
import { t } from "../texts.js";

const path = (rest) => `/tables/${state.table.id}/${rest}`;
const token = () => tokenFor(null);

/** Those who ask; `look` reads them anew. Of several, of one whose like was refused, and of one put aside, a line says so. */
export function cards(items, look) {
  const act = (what) => async () => {
    try {
      await what();
    } catch (error) {
      // Another host may have been quicker.
      if (error.status !== 404) notify(troubleOf(error));
    }
    await look();
  };
  const [first, ...others] = items;
  return others.length || first.quiet || aside.has(first.id) ? folded(items, act) : card(first, act);
}

// Who was put aside on this phone.
const aside = new Set();

const agree = ({ id, computer }) => (computer ? post(path(`pairings/${id}/kept`), { key: alongKey() }, { token: token() }) : post(path(`pairings/${id}`), {}, { token: token() }));
const refuse = ({ id }) => call("DELETE", path(`pairings/${id}`), { token: token() });

const answers = (one, act) => [
  h("button", { "data-do": "refuse", onclick: act(() => refuse(one)) }, t("mine.refuse")),
  h("button", { class: "main", "data-do": "agree", onclick: act(() => agree(one)) }, t("join.let-in")),
];

const alongWith = ({ computer }) => (computer ? h("p", { class: "small muted" }, t("devices.comes-along", { name: named(computer) })) : null);

// Both screens show the digits, so that nobody else is let in.
function card(one, act) {
  const text = wish(one);
  return h(
    "section",
    { class: "ask-card let-in", key: `lets-in-${one.id}`, role: "group", "aria-label": text, "data-do": "let-in-device" },
    h("p", { class: "ask", role: "status" }, icon("camera"), text),
    h("p", { class: "code" }, one.digits),
    alongWith(one),
    h("div", { class: "row" }, h("button", { "data-do": "later", onclick: () => (aside.add(one.id), redraw()) }, t("join.later")), answers(one, act)),
  );
}

function folded(items, act) {
  return h(
    "details",
    { class: "ask-card let-in", key: "lets-many-in", "data-do": "let-in-many" },
    h("summary", {}, t("devices.ask-in", { count: items.length })),
    h("ul", { class: "taken" }, items.map((one) => line(one, act))),
    h(
      "div",
      { class: "row" },
      h("button", { "data-do": "refuse-all", onclick: act(() => call("DELETE", path("pairings"), { token: token() })) }, t("devices.refuse-all")),
      h("button", { "data-do": "change-code", onclick: act(() => post(path("join-code"), undefined, { token: token() })) }, t("host.new-code")),
    ),
  );
}

function line(one, act) {
  return h(
    "li",
    { key: one.id, "data-do": "let-in-device" },
    h("p", { class: "code" }, one.digits),
    h("p", { class: "small" }, wish(one)),
    alongWith(one),
    h("div", { class: "row" }, answers(one, act)),
  );
}

function wish({ seat, phone, devices }) {
  if (seat) return t("devices.wants-seat", { seat: state.table.seats[seat - 1].name });
  if (phone) return t("devices.wants-phone");
  return t("devices.wants", { devices: devices.map(({ kind }) => t(`devices.${kind}`)).join(", ") });
}
