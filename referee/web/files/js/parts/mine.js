// What players do about their own seat: another name, leave, host when the host's phone is lost.

import { h } from "../dom.js";
import { attempt, hasLeft, isHost, ownSeat } from "../session.js";
import { redraw, state } from "../state.js";
import { t } from "../texts.js";
import { textField } from "./fields.js";
import { openForm } from "./form.js";

const LONGEST = 40;

/** The buttons for one's own seat; nothing for who only watches. */
export function mySeat() {
  const seat = ownSeat();
  if (!state.table || !seat) return null;
  return h(
    "section",
    { class: "stack", key: "mine", "aria-label": t("mine.title") },
    h("h3", {}, t("mine.title")),
    h("button", { class: "wide", "data-do": "rename", onclick: () => openRename(seat) }, t("mine.rename")),
    isHost()
      ? null
      : h("button", { class: "wide", "data-do": "ask-host", onclick: () => openAskHost(seat) }, t("mine.host-lost")),
    h("button", { class: "wide", "data-do": "leave-table", onclick: () => openLeave(seat) }, t("mine.leave")),
  );
}

/** What somebody reads who has left the table. */
export const gone = () => (hasLeft() ? h("p", { class: "ask-card", key: "gone" }, t("mine.gone")) : null);

/** Give a seat another name. */
export function openRename(seat) {
  let { name } = state.table.seats[seat - 1];
  const oninput = (event) => ((name = event.target.value), redraw());
  openForm(
    t("mine.rename"),
    () => textField(t("setup.placeholder"), { id: "new-name", value: name, oninput, maxlength: LONGEST, autocomplete: "off" }),
    {
      say: t("mine.rename"),
      ready: () => Boolean(name.trim()),
      send: () => attempt("PATCH", `/seats/${seat}`, { name: name.trim() }, seat),
    },
  );
}

/** Ask whether a seat leaves, and say what happens then. */
export function openLeave(seat) {
  const own = seat === ownSeat();
  const title = own ? t("mine.leave") : `${t("seats.leave")}: ${state.table.seats[seat - 1].name}`;
  openForm(title, () => [h("p", {}, t("mine.leave-hint")), own ? h("p", {}, t("mine.leave-own")) : null], {
    say: t("mine.leave-yes"),
    send: () => attempt("DELETE", `/seats/${seat}`, undefined, seat),
  });
}

function openAskHost(seat) {
  openForm(t("mine.host-lost"), () => h("p", {}, t("mine.host-hint")), {
    say: t("mine.ask-host"),
    send: () => attempt("POST", "/host-request", undefined, seat),
  });
}
