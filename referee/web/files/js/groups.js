// The groups whose token this phone has: they keep what was played at the tables that were chosen for them.

import { call, post } from "./api.js";
import { read, write } from "./kept.js";
import { reachable } from "./parts/invite.js";

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
export const chooseFor = (table, hostToken, id) =>
  call("PUT", `/tables/${table}/group`, { token: hostToken, body: { token: id ? tokenOf(id) : null } });

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
