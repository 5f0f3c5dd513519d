// Cameras and boards: which there are, and letting another one in.

import { bringsComputers } from "../along.js";
import { call, get } from "../api.js";
import { h } from "../dom.js";
import { tokenFor } from "../session.js";
import { redraw, state } from "../state.js";
import { locale, t } from "../texts.js";
import { cameraPhones, forget, linked } from "./cameraphone.js";
import { announced, reachable } from "./invite.js";
import { later, openForm } from "./dialog.js";
import { ownBoard } from "../owndevices.js";

let known = { version: -1, items: [] };
// Whether it is shown how a computer joins.
let connecting = false;
const along = later(() => import("./computers.js"));

/** The devices of the table, and the way to another one. */
export function devices() {
  if (known.table !== state.table.id || known.version < state.table.version) look();
  const items = known.items.filter((one) => !one.revoked);
  return h(
    "section",
    { class: "stack" },
    items.length ? h("ul", { class: "taken" }, items.map(item)) : h("p", { class: "muted" }, t("devices.none")),
    bringsComputers() ? (along()?.computers() ?? null) : null,
    cameraPhones(),
    ownBoard(state.table),
    connecting ? joining() : h("button", { "data-do": "pair", onclick: () => show(true) }, t("devices.add")),
  );
}

function item({ id, name, kind, last_seen: seen }) {
  const title = t("devices.remove-of", { name });
  const send = () => attempt(() => call("DELETE", `${path()}/devices/${id}`, { token: tokenFor(null) }));
  const remove = () => openForm(title, () => null, { say: t("devices.remove"), final: true, send });
  return h(
    "li",
    { key: id },
    h("span", {}, h("strong", {}, h("bdi", {}, name)), h("span", { class: "muted" }, ` ${t(`devices.${kind}`)} · ${seen ? t("devices.heard", { time: clock(seen) }) : t("devices.silent")}`)),
    h("button", { class: "quiet", "data-do": "remove-device", onclick: remove, "aria-label": title }, t("devices.remove")),
  );
}

const clock = (at) => new Date(at).toLocaleTimeString(locale(), { hour: "2-digit", minute: "2-digit" });

// A server that is announced in this network is found by itself.
function command() {
  const join = `referee-table join ${state.table.code}`;
  const server = (reachable() ?? location.origin).replace(/\/$/, "");
  return announced() ? join : `${join} --server ${server}`;
}

function joining() {
  return h(
    "div",
    { class: "ask-card", key: "pairing", "data-do": "pairing" },
    h("p", {}, t("devices.how")),
    h("pre", { tabindex: "0" }, command()),
    h("p", { class: "muted" }, t("devices.wait")),
    h("button", { "data-do": "done", onclick: () => show(false) }, t("devices.done")),
  );
}

const path = () => `/tables/${state.table.id}`;

async function look() {
  const { id, version } = state.table;
  const before = known.items.length;
  known = { ...known, table: id, version };
  try {
    known.items = (await get(`${path()}/devices`, { token: tokenFor(null) })).items;
  } catch {
    return;
  }
  if (known.items.some(({ id: device, last_seen: seen }) => device === linked() && seen)) forget();
  if (known.items.length > before) connecting = false;
  redraw();
}

function show(on) {
  connecting = on;
  redraw();
}

// Returns what went wrong; null if nothing has.
async function attempt(what) {
  try {
    await what();
  } catch (error) {
    return error.status ? error.message : t("link.lost");
  }
  return null;
}
