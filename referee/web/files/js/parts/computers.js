// For a host: the computers that come along, where each is, and the way to have it here or to forget it.

import { alongKey, bring, named } from "../along.js";
import { post } from "../api.js";
import { h } from "../dom.js";
import { tokenFor, troubleOf } from "../session.js";
import { notify, redraw, state } from "../state.js";
import { labelled, t } from "../texts.js";
import { openForm } from "./dialog.js";

let known = { table: null, version: -1, items: [] };

/** The computers of this browser; nothing if there are none. */
export function computers() {
  const { id, version } = state.table;
  if (known.table !== id || known.version < version) look("none");
  if (known.table !== id || !known.items.length) return null;
  return h("section", { class: "stack", key: "computers" }, h("h3", {}, t("devices.computers")), h("ul", { class: "taken" }, known.items.map(item)));
}

function item({ id, name: full, place }) {
  const name = named(full);
  const away = place === "busy" || place === "elsewhere";
  return h(
    "li",
    { key: id, "data-do": "computer" },
    h("span", {}, h("strong", {}, name), h("span", { class: "muted" }, ` ${t(`devices.at-${place}`)}`)),
    h(
      "span",
      { class: "row" },
      away ? h("button", { class: "quiet", "data-do": "bring", "aria-label": t("devices.bring-of", { name }), onclick: () => attempt(() => look(id)) }, t("devices.bring")) : null,
      h("button", { class: "quiet", "data-do": "forget-computer", "aria-label": labelled(t("home.forget"), name), onclick: () => openForget(id, name) }, t("home.forget")),
    ),
  );
}

async function look(which) {
  const { id, version } = state.table;
  known = { ...known, table: id, version, items: known.table === id ? known.items : [] };
  try {
    known.items = await bring(id, tokenFor(null), which);
  } catch (error) {
    if (which !== "none") throw error;
  }
  redraw();
}

// It comes along again only after another join, so it is asked first.
function openForget(id, name) {
  const send = () => forget(id).then(() => null, troubleOf);
  openForm(labelled(t("home.forget"), name), () => null, { say: t("home.forget"), final: true, send });
}

async function forget(which) {
  await post(`/tables/${state.table.id}/computers/forgotten`, { key: alongKey(), which }, { token: tokenFor(null) });
  await look("none");
}

async function attempt(what) {
  try {
    await what();
  } catch (error) {
    notify(troubleOf(error));
  }
}
