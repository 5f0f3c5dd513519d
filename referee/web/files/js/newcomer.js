// Taking a seat at a table, at once or as soon as one may: after the round, or once a host agrees.

import { call, newKey, post } from "./api.js";
import { keepPlace, place } from "./kept.js";
import { leave, sitDown } from "./session.js";
import { inRound, seated, state, watch } from "./state.js";
import { language } from "./texts.js";

// The version of the table at which a seat was asked for last.
let tried = 0;

/** Keep the seat that was joined; `looking` is a token that was only for looking around. */
export async function takeSeat({ table_id: id, seat, token }, ruleset, looking) {
  await call("PUT", `/tables/${id}/language`, { token, body: { language: language() } });
  keepPlace(id, { seat: { seat, token }, watch: null, asks: null, ruleset });
  drop(id, looking);
}

/** Watch until there is a seat; `asks` is `{code, name}`. */
export function waitForSeat({ table_id: id, token }, asks, ruleset, looking) {
  keepPlace(id, { watch: token, asks, ruleset });
  drop(id, looking);
}

function drop(id, token) {
  if (token) call("DELETE", `/tables/${id}/tokens/self`, { token }).catch(() => {});
}

/** The name with which this phone has asked for a seat at the table it is at, null if it has not. */
export const askedAs = () => (state.table && place(state.table.id)?.asks?.name) ?? null;

// An open table has room as soon as no round is played; elsewhere a host makes the seat.
const mayCome = (table, name) =>
  seated(table).some((seat) => seat.name === name && !seat.taken) || (table.open && !inRound(table) && table.asking.includes(name));

async function comeIn() {
  const { table } = state;
  const mine = table && place(table.id);
  if (!mine?.asks || !mayCome(table, mine.asks.name) || tried === table.version) return;
  tried = table.version;
  try {
    const joined = await post("/join", mine.asks, { key: newKey() });
    if (!joined.seat) return drop(table.id, joined.token);
    await takeSeat(joined, table.ruleset, mine.watch);
    leave();
    await sitDown(table.id);
  } catch {
    // The next entry of the log tries again.
  }
}

watch(comeIn);
