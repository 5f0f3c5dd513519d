// Groups that keep the games that were played.

import { call, post } from "./api.js";
import { h } from "./dom.js";
import { keepPlace, lastTable, place, read, write } from "./kept.js";
import { selectField } from "./parts/dialog.js";
import { reachable } from "./parts/invite.js";
import { refresh, tokenFor, troubleOf } from "./session.js";
import { notify, redraw, state } from "./state.js";
import { t } from "./texts.js";

// The groups whose token this phone has: they keep what was played at the tables that were chosen for them.

/** The groups of this phone, the newest first: `{id, name, token}`. */
export const groups = () => read("groups", []);

/** The token of a group, null if this phone has none. */
export const tokenOf = (id) => groups().find((one) => one.id === id)?.token ?? null;

/** Remember a group. */
export function keepGroup(one) {
  write("groups", [one, ...groups().filter(({ id }) => id !== one.id)]);
}

/** Forget a group; the server keeps it. */
export const leaveGroup = (id) => write("groups", groups().filter((one) => one.id !== id));

/** Make a group, and remember it. */
export async function makeGroup(name) {
  const { group, token } = await post("/groups", { name });
  keepGroup({ id: group.id, name: group.name, token });
  return group.id;
}

/** Let a group keep a table's games, or none. */
export async function chooseFor(table, hostToken, id) {
  await call("PUT", `/tables/${table}/group`, { token: hostToken, body: { token: id ? tokenOf(id) : null } });
  keepPlace(table, { group: id });
}

/** The group that keeps what the people of the last table play, "" if none does. */
export function lastGroup() {
  const id = lastTable()?.group;
  return id && tokenOf(id) ? id : "";
}

// What follows the # is not sent to the server, and so stands in no log.
/** The address that opens a group on another phone. */
export const linkOf = (id) => `${(reachable() ?? location.origin).replace(/\/$/, "")}/people/${id}#group=${tokenOf(id)}`;

/** Take a group's token out of the address, if there is one. */
export function takeLink() {
  const [, id] = location.pathname.match(/^\/people\/([\w-]+)$/) ?? [];
  const [, token] = location.hash.match(/^#group=([\w-]+)$/) ?? [];
  if (!id || !token) return;
  keepGroup({ id, name: groups().find((one) => one.id === id)?.name ?? "", token });
  history.replaceState(null, "", location.pathname);
}

// Which group keeps a table's games: none, unless a host chooses one.

/** The groups of this phone to choose from; `chosen` is an id, or "". */
export function groupField(chosen, choose) {
  const options = [["", t("people.none")], ...groups().map(({ id, name }) => [id, name])];
  return h(
    "div",
    { class: "stack", key: "group" },
    selectField(t("people.keep"), options, chosen, choose, "group"),
    h("p", { class: "small muted" }, t("people.lead")),
    h("a", { href: "/people" }, t("people.title")),
  );
}

/** For the host: the group that keeps the table's games. Which one it is, only this phone knows. */
export function groupSettings() {
  const { id: table, kept } = state.table;
  const known = place(table)?.group ?? "";
  const choose = async (id) => {
    try {
      await chooseFor(table, tokenFor(null), id);
      await refresh();
    } catch (error) {
      notify(troubleOf(error));
    }
    redraw();
  };
  const stop = kept && !known ? h("button", { "data-do": "keep-none", onclick: () => choose("") }, t("people.none")) : null;
  return h("div", { class: "stack" }, keptNote(), groupField(kept ? known : "", choose), stop);
}

/** What everybody at the table reads about it. */
export const keptNote = () => (state.table.kept ? h("p", { class: "small muted", key: "kept" }, t("people.kept")) : null);
