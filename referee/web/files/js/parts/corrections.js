// A correction asks first: the server says what it would change, and only then it is made.

import { post } from "../api.js";
import { h } from "../dom.js";
import { icon } from "../icons.js";
import * as outbox from "../outbox.js";
import { ownSeat, tokenFor, troubleOf } from "../session.js";
import { notify, redraw, state } from "../state.js";
import { t } from "../texts.js";
import { openDialog } from "./dialog.js";
import { checkField } from "./fields.js";

// Entries with which somebody acts: after another's, one's own cannot be taken back any more.
const ACTS = new Set(
  "round-opened round-counted moved confirmed corrected answered seats-changed game-ended game-started".split(" "),
);

/** The entry that this phone's player may take back: the last, nobody else having acted since. */
export function ownLast() {
  const seat = ownSeat();
  if (!seat) return null;
  for (const entry of [...state.entries].reverse().filter(({ kind }) => ACTS.has(kind))) {
    const { role, seat: by } = entry.by;
    // A device acts for the seat whose move it saw.
    const actor = role === "device" ? (entry.move ?? entry.entered)?.seat : role === "seat" ? by : 0;
    if (actor === undefined) continue;
    if (actor !== seat) return null;
    if (["moved", "round-opened"].includes(entry.kind) && !entry.undone) return entry;
  }
  return null;
}

/** A slip of the finger is put right by whoever made it, as long as nobody else has acted; null if there is none. */
export function takeBack() {
  if (!ownLast()) return null;
  const ask = () => askFirst({ kind: "undo" }, { seat: ownSeat() });
  return h("button", { class: "quiet", key: "take-back", "data-do": "take-back", onclick: ask }, icon("undo"), t("host.take-back"));
}

/**
 * Say what a correction changes and ask whether to make it: as the host, or for the `seat` that
 * takes its own entry back. `mayGoOn`: everything since may be undone with it. `picture()` stands above
 * what it changes.
 */
export function askFirst(body, { seat = null, mayGoOn = false, picture = () => null } = {}) {
  const table = state.table.id;
  let since = false;
  let said = null;
  let trouble = null;
  const change = () => (since ? { ...body, since: true } : body);

  async function preview() {
    said = trouble = null;
    redraw();
    const asked = since;
    const options = { token: tokenFor(seat), query: { preview: true } };
    try {
      const entry = await post(`/tables/${table}/corrections`, change(), options);
      if (asked === since) said = entry.announcements;
    } catch (error) {
      if (asked === since) trouble = troubleOf(error);
    }
    redraw();
  }

  const make = (close) => () => {
    close();
    notify(null);
    outbox.send({ method: "POST", path: "/corrections", body: change(), seat, label: body.kind, bound: true });
  };
  const goOn = (checked) => {
    since = checked;
    preview();
  };
  openDialog(t("host.changes"), (close) => [
    picture(),
    said?.map((text) => h("p", { class: "said" }, text)),
    trouble ? h("p", { class: "warn" }, trouble) : null,
    mayGoOn
      ? checkField(t("host.since"), since, goOn, { "data-do": "since" })
      : null,
    h(
      "div",
      { class: "stack" },
      trouble ? null : h("button", { class: "main", key: "make", "data-do": "make", disabled: !said, onclick: make(close) }, t("host.make")),
      h("button", { key: "leave", "data-do": "leave", onclick: close }, t("host.leave")),
    ),
  ]);
  preview();
}
