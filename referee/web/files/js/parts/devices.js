// Cameras and boards: which there are, and letting another one in.

import { call, get, post } from "../api.js";
import { h } from "../dom.js";
import { tokenFor } from "../session.js";
import { notify, redraw, state } from "../state.js";
import { t } from "../texts.js";
import { reachable } from "./invite.js";

let known = { version: -1, items: [] };
// A host's token made for pairing only; it is taken back as soon as a device has come.
let pass = null;

/** The devices of the table, and the way to another one. */
export function devices() {
  if (known.table !== state.table.id || known.version < state.table.version) look();
  const items = known.items.filter((one) => !one.revoked);
  return h(
    "section",
    { class: "stack" },
    items.length ? h("ul", { class: "taken" }, items.map(item)) : h("p", { class: "muted" }, t("devices.none")),
    pass ? pairing() : h("button", { "data-do": "pair", onclick: begin }, t("devices.add")),
  );
}

function item({ id, name, kind, last_seen: seen }) {
  const remove = () => attempt(() => call("DELETE", `${path()}/devices/${id}`, { token: tokenFor(null) }));
  return h(
    "li",
    { key: id },
    h("span", {}, h("strong", {}, name), h("span", { class: "muted" }, ` ${t(`devices.${kind}`)} · ${seen ? t("devices.heard", { time: clock(seen) }) : t("devices.silent")}`)),
    h("button", { class: "quiet", onclick: remove, "aria-label": t("devices.remove-of", { name }) }, t("devices.remove")),
  );
}

const clock = (at) => new Date(at).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" });

function pairing() {
  const server = reachable() ?? location.origin;
  const command = (more) => `referee-table pair --server ${server.replace(/\/$/, "")} --table ${state.table.id}${more}`;
  return h(
    "div",
    { class: "ask-card" },
    h("p", {}, t("devices.how")),
    h("p", { class: "muted" }, t("devices.board")),
    h("pre", { tabindex: "0" }, command("")),
    h("p", { class: "muted" }, t("devices.camera")),
    h("pre", { tabindex: "0" }, command(" --backend camera")),
    h("p", {}, t("devices.asked")),
    h("pre", { tabindex: "0", class: "pass" }, pass.token),
    h("button", { onclick: end }, t("devices.done")),
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
  if (pass && known.items.length > before) await end();
  redraw();
}

const begin = () =>
  attempt(async () => {
    pass = await post(`${path()}/tokens`, { role: "host", name: "Pairing" }, { token: tokenFor(null) });
  });

const end = () =>
  attempt(async () => {
    await call("DELETE", `${path()}/tokens/${pass.token_id}`, { token: tokenFor(null) });
    pass = null;
  });

async function attempt(what) {
  try {
    await what();
  } catch (error) {
    notify(error.status ? error.message : t("link.lost"));
  }
  redraw();
}
