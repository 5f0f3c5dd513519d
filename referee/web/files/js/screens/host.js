// What only the host does: setting the game right, letting people in.

import { h } from "../dom.js";
import { icon } from "../icons.js";
import { askFirst } from "../parts/corrections.js";
import { devices } from "../parts/devices.js";
import { selectField } from "../parts/fields.js";
import { invite } from "../parts/invite.js";
import { rulings } from "../parts/rulings.js";
import { places } from "../parts/places.js";
import { asHost, isHost } from "../session.js";
import { redraw, seated, state } from "../state.js";
import { t } from "../texts.js";

let seat = 1;
let count = "";

export const host = {
  path: "/t/:table/host",
  needsTable: true,
  forHost: true,
  title: () => t("host.title"),
  back: ({ table }) => `/t/${table}`,
  tab: { icon: "tools", label: "nav.host" },
  render: () =>
    isHost()
      ? h(
          "div",
          { class: "stack" },
          setRight(),
          rulings(12),
          fold(t("host.hand-count"), handCount()),
          fold(t("invite.title"), [invite(), places()]),
          fold(t("devices.title"), devices()),
        )
      : h("p", { class: "muted" }, t("host.only")),
};

const fold = (title, content) => h("details", { class: "house", key: title }, h("summary", {}, title), content);

function setRight() {
  const begun = state.entries.some(({ kind }) => ["round-opened", "moved", "corrected"].includes(kind));
  if (!begun) return h("p", { class: "muted" }, t("host.nothing"));
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
    h("button", { "data-do": "redo", onclick: () => askFirst({ kind: "redo" }) }, t("host.redo")),
    h("button", { "data-do": "break-off", onclick: () => askFirst({ kind: "break-off" }) }, t("host.break-off")),
  );
}

function handCount() {
  const send = (event) => {
    event.preventDefault();
    asHost("/corrections", { kind: "hand-count", seat, count: Number(count) }, "hand-count");
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
      h("input", { id: "hand-count", type: "number", inputmode: "numeric", min: 0, max: 112, required: true, oninput: (event) => (count = event.target.value) }),
    ),
    h("button", { "data-do": "set-count" }, t("host.set")),
  );
}
