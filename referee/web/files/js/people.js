// Whose phone this is, and whom they played with last: remembered on this phone only.

import { places, read, write } from "./kept.js";

/** The name that was typed last on this phone. */
export const myName = () => read("me", "");

/** Remember a name as that of this phone. */
export const keepName = (name) => write("me", name);

/** The others of the last table, clockwise from the left of this phone's player. */
export function lastPeople() {
  const last = places().find(({ seats, seat, host }) => seats?.length > 1 && (seat || host));
  if (!last) return [];
  const mine = last.seat?.seat ?? 0;
  const clockwise = [...last.seats.slice(mine), ...last.seats.slice(0, Math.max(mine - 1, 0))];
  return clockwise.filter((name) => name !== myName());
}
