// Taps on their way to the server. Each has a key of its own and is kept until it is acknowledged:
// one that is sent twice counts once, and one that was made without a network is sent later.

import { call, newKey, Problem, Unreachable } from "./api.js";
import { read, write } from "./kept.js";
import { change, MEANT, notify, state } from "./state.js";
import { t } from "./texts.js";

const RETRY_MS = [400, 1_000, 2_000, 5_000];
const LATE_MS = 2_000;
const LOOK_MS = 50;
let table = null;
let hooks = null;
let running = false;
let tries = 0;

const all = () => read("outbox", []);
const mine = () => all().filter((one) => one.table === table);

function keep(list) {
  write("outbox", list);
  change({ waiting: list.filter((one) => one.table === table) });
}

/** Send what waits for a table, and from now on what is tapped. */
export function start(id, { token, fresh }) {
  table = id;
  hooks = { token, fresh };
  tries = 0;
  change({ waiting: mine() });
  addEventListener("online", run);
  run();
}

/** Let it lie until the table is opened again. */
export function stop() {
  table = null;
  removeEventListener("online", run);
  change({ waiting: [] });
}

/**
 * Send a write. `seen` is the table that it holds for: when the game has gone on since it is not made, unless what
 * `means` says of the table is the same still. The same tap made again while it waits is one tap.
 */
export function send({ method, path, body, seat, label, seen = null, means = "all" }) {
  const same = (one) => one.path === path && JSON.stringify(one.body) === JSON.stringify(body);
  if (mine().some(same)) return;
  const [match, position] = seen ? [seen.version, MEANT[means](seen, body?.seat)] : [null, null];
  const item = { key: newKey(), table, method, path, body, seat, label, match, means, position };
  keep([...all(), item]);
  run();
}

async function run() {
  if (running) return;
  running = true;
  try {
    for (let item = mine()[0]; item; item = mine()[0]) {
      const done = await attempt(item);
      if (!done) break;
      keep(all().filter((one) => one.key !== item.key));
      tries = 0;
    }
  } finally {
    running = false;
  }
}

/** Whether that settles it. */
async function attempt(item) {
  const { method, path, body, key, match } = item;
  const options = { token: hooks.token(item.seat), body, key, match };
  try {
    await call(method, `/tables/${item.table}${path}`, options);
    await hooks.fresh();
    return true;
  } catch (error) {
    if (error instanceof Unreachable) return later(RETRY_MS[Math.min(tries++, RETRY_MS.length - 1)]);
    if (!(error instanceof Problem)) throw error;
    if ([429, 502, 503, 504].includes(error.status)) return later(1_000 * error.retryAfter);
    if (error.kind === "stale-version") return overtaken(item);
    notify(error.said);
    return true;
  }
}

// Somebody else was quicker. If the position is still the same, it is meant as it was.
async function overtaken(item) {
  await hooks.fresh();
  const now = state.table && MEANT[item.means ?? "all"](state.table, item.body?.seat);
  if (state.table && now === item.position && state.table.version !== item.match) {
    const moved = { ...item, match: state.table.version };
    keep(all().map((one) => (one.key === item.key ? moved : one)));
    return attempt(moved);
  }
  if (state.table?.version === item.match) return later(RETRY_MS[0]);
  notify(await quicker(item));
  return true;
}

// Who was quicker since the tap. The log may be a little behind the table.
async function quicker({ match, body = {} }) {
  for (let wait = 0; wait < LATE_MS && (state.entries.at(-1)?.id ?? 0) < state.table.version; wait += LOOK_MS) {
    await new Promise((done) => setTimeout(done, LOOK_MS));
  }
  const moves = state.entries.filter(({ id, move, ruling, undone }) => id > match && move && ruling.verdict === "legal" && !undone);
  const made = moves.map(({ move }) => move);
  if (made.some((one) => isSame(one, body))) return t("link.already");
  const laid = body.move === "play" ? made.find(({ move }) => move === "play") : null;
  return laid && laid.seat !== body.seat ? t("link.quicker", { seat: state.table.seats[laid.seat - 1].name }) : t("link.overtaken");
}

// What goes with a card may be told later; anything else that differs is another move. The cards of a hand have no order.
const MAY_LACK = ["color", "powers", "swap_with", "uno"];

function isSame(made, body) {
  const text = (value) => JSON.stringify(Array.isArray(value) ? [...value].sort() : value);
  return Object.entries(body).every(([name, value]) => text(made[name]) === text(value) || (made[name] === undefined && MAY_LACK.includes(name)));
}

function later(ms) {
  setTimeout(run, ms);
  return false;
}
