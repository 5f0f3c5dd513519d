// A player's own seat, and those of others.

import { call, get, post } from "../api.js";
import { h } from "../dom.js";
import { attempt, hasLeft, heldSeat, isHost, ownSeat, refresh, tokenFor } from "../session.js";
import { heldBy, inRound, notify, redraw, state } from "../state.js";
import { labelled, t, word } from "../texts.js";
import { openForm, textField } from "./dialog.js";

// What players do about their own seat: another name, leave, host when the host's phone is lost.

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
  const title = own ? t("mine.leave") : labelled(t("seats.leave"), state.table.seats[seat - 1].name);
  openForm(title, () => [h("p", {}, t("mine.leave-hint")), putBack(seat), own ? h("p", {}, t("mine.leave-own")) : null], {
    say: t("mine.leave-yes"),
    send: () => attempt("DELETE", `/seats/${seat}`, undefined, seat),
  });
}

// What a seat holds beside its cards, if it leaves during a round.
function putBack(seat) {
  const held = inRound(state.table) ? heldBy(seat).map((power) => word(state.table.ruleset, "powers", power)) : [];
  return held.length ? h("p", { key: "powers" }, t("mine.leave-powers", { powers: held.join(", ") })) : null;
}

/** Ask whether this phone asks the table to become a host. */
export function openAskHost(seat) {
  openForm(t("mine.host-lost"), () => h("p", {}, t("mine.host-hint")), {
    say: t("mine.ask-host"),
    send: () => attempt("POST", "/host-request", undefined, seat),
  });
}

// Who has come in with the code: a seat whose phone is gone can be freed, and the code be changed.

/** For the host: the seats with phones, and another code. */
export function places() {
  const { seats } = state.table;
  const others = seats.filter((one) => one.taken && one.seat !== heldSeat());
  return h(
    "div",
    { class: "stack" },
    others.map(({ seat, name }) =>
      h("button", { key: seat, "data-do": `free-${seat}`, onclick: () => free(seat) }, t("host.free-of", { seat: name })),
    ),
    h("button", { "data-do": "new-code", onclick: newCode }, t("host.new-code")),
  );
}

const path = () => `/tables/${state.table.id}`;

const newCode = () => orNotify(() => post(`${path()}/join-code`, undefined, { token: tokenFor(null) }));

/** Take the seat back from its phone, so that another can have it. */
export const free = (seat) =>
  orNotify(async () => {
    const token = tokenFor(null);
    const { items } = await get(`${path()}/tokens`, { token });
    const held = items.filter((one) => one.role === "seat" && one.seat === seat && !one.revoked);
    for (const one of held) await call("DELETE", `${path()}/tokens/${one.id}`, { token });
  });

/** Take the host's role from every phone that no seat is known for: one that is lost, say. */
export const endOtherHosts = () =>
  orNotify(async () => {
    const token = tokenFor(null);
    const { id: own } = await get(`${path()}/tokens/self`, { token });
    const { items } = await get(`${path()}/tokens`, { token });
    const others = items.filter((one) => one.role === "host" && one.id !== own && !one.revoked);
    for (const one of others) await call("DELETE", `${path()}/tokens/${one.id}`, { token });
  });

async function orNotify(what) {
  try {
    await what();
    await refresh();
  } catch (error) {
    notify(error.status ? error.message : t("link.lost"));
  }
  redraw();
}
