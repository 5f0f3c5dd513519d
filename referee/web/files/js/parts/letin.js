// Computers and phones that ask to be the table's camera or board: a host lets them in, wherever on the page.

import { get } from "../api.js";
import { isHost, tokenFor } from "../session.js";
import { redraw, state } from "../state.js";
import { later } from "./later.js";

// The stream says when somebody asks; that nobody asks any more is looked for.
const LOOK_MS = 2_500;
let asking = { table: null, items: [] };
let timer = 0;
const cards = later(() => import("./letincards.js"));

const path = () => `/tables/${state.table.id}/pairings`;

/** Look who asks, again and again while somebody does; for hosts. */
export async function lookWhoAsks() {
  clearTimeout(timer);
  if (!state.table || !isHost()) return;
  const table = state.table.id;
  const before = JSON.stringify(asking);
  const known = asking.items.map(({ id }) => id);
  try {
    const { items } = await get(path(), { token: tokenFor(null) });
    if (state.table?.id !== table) return;
    asking = { table, items };
  } catch {
    // The next look tries again.
  }
  clearTimeout(timer);
  if (asking.items.length) timer = setTimeout(lookWhoAsks, LOOK_MS);
  if (JSON.stringify(asking) !== before) redraw();
  // Who does not disturb may wait further up.
  if (asking.items.length === 1 && asking.items.some(({ id, quiet }) => !quiet && !known.includes(id))) setTimeout(bringIntoView);
}

// It stands on top, whatever one had scrolled to; nobody is taken from what they type.
function bringIntoView() {
  if (!document.querySelector("dialog[open], [data-do=let-in-many]") && !document.activeElement?.matches("input, textarea, select")) scrollTo(0, 0);
}

let own = () => null;

/** Have what this phone itself asks for shown in the same place, by a module that is loaded only then. */
export const showOwn = (render) => (own = render);

/** Who asks, with a button for yes and one for no, for hosts; and what this phone itself asks for. */
export const whoAsks = () => [state.table && asking.table === state.table.id && isHost() && asking.items.length ? (cards()?.cards(asking.items, lookWhoAsks) ?? null) : null, own()];
