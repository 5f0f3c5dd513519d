// What this phone remembers: settings, the places it has at tables, and people.

const PREFIX = "referee.";
const stored = (tab) => (tab ? sessionStorage : localStorage);

/** Something remembered, or what to take instead; with `tab` by this tab alone, also when it is loaded again. */
export function read(name, otherwise, { tab = false } = {}) {
  try {
    const text = stored(tab).getItem(PREFIX + name);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/** Remember something; null forgets it. A full or forbidden storage is no reason to stop. */
export function write(name, value, { tab = false } = {}) {
  try {
    if (value === null) stored(tab).removeItem(PREFIX + name);
    else stored(tab).setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // The page goes on; it only forgets when it is closed.
  }
}

/** The tables that this phone is at, the one used last first. */
export function places() {
  return Object.values(read("places", {})).sort((a, b) => b.at - a.at);
}

/** What this phone is at a table: `{table, ruleset, seats, host, seat, watch, camera, board, at}`; null if nothing. */
export const place = (table) => read("places", {})[table] ?? null;

/** Remember more about a place. */
export function keepPlace(table, more) {
  const all = read("places", {});
  all[table] = { ...all[table], table, ...more, at: Date.now() };
  write("places", all);
}

/** Forget a place. */
export function leavePlace(table) {
  const all = read("places", {});
  delete all[table];
  write("places", all);
}

// Whose phone this is, and whom they played with last: remembered on this phone only.

/** The name that was typed last on this phone. */
export const myName = () => read("me", "");

/** Remember a name as that of this phone. */
export const keepName = (name) => write("me", name);

/** The last table that others were at, too. */
export const lastTable = () => places().find(({ seats, seat, host }) => seats?.length > 1 && (seat || host));

/** The others of the last table, clockwise from the left of this phone's player. */
export function lastPeople() {
  const last = lastTable();
  if (!last) return [];
  const mine = last.chair ?? 0;
  const clockwise = [...last.seats.slice(mine), ...last.seats.slice(0, Math.max(mine - 1, 0))];
  return clockwise.filter((name) => name !== myName());
}
