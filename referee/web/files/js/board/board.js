// A board plugged into this computer: reading it, its lights, and what a host sees of it.

import { call, newKey, post, Problem } from "../api.js";
import { h, icon } from "../dom.js";
import { keepPlace, place } from "../kept.js";
import { isHost, tokenFor, troubleOf } from "../session.js";
import { notify, redraw, state } from "../state.js";
import { t } from "../texts.js";
import { link, NONE } from "./link.js";
import { positions } from "./positions.js";

// A board plugged into this computer, as a device of the table: read by the page itself, through Web Serial. What it
// sees is told to the server in order, and acknowledged to the board once the server has it; until then the board
// keeps it.

const BAUD = 115_200;
const TICK_MS = 40;
const RETRY_MS = 1_000;
// A refused observation is followed by all that is so now, and not at once by another refusal.
const AFTER_REFUSAL_MS = 5_000;
const NAMES = { 1: ["U", "N", "O", "!"], 2: ["red", "blue", "green", "yellow"] };
// Boards by their USB ids: a Pico with MicroPython.
const FILTERS = [{ usbVendorId: 0x2e8a }];
// A board whose program goes on after it was plugged out, or a port that another program has: tried again.
const REOPEN_MS = 2_000;

let used = null;

/** What this page's board does: `{table, at, seats, trouble}` with `at` "looking", "fine", "silent", "away", "busy" or "version"; null without one. */
const boardNow = () => used && { table: used.table, at: used.at, seats: used.watch.seats(), trouble: used.trouble };

/** Have the user choose a port, and make the board on it a device of the table. Throws what the browser or server says. */
async function useBoard(table) {
  const port = await navigator.serial.requestPort({ filters: FILTERS });
  if (!place(table)?.board) {
    const { device, token } = await post(`/tables/${table}/devices`, { name: t("board.name"), kind: "board" }, { token: tokenFor(null) });
    keepPlace(table, { board: { device, token } });
  }
  begin(table, port);
}

/** Go on with the board that was allowed before. */
export async function resume(table) {
  if (used?.table === table) return;
  const [port] = await navigator.serial.getPorts();
  begin(table, port ?? null);
}

/** Leave the board alone; for a host, it is no device of the table any more. */
async function stopBoard(table) {
  end();
  const { device } = place(table).board;
  keepPlace(table, { board: null });
  redraw();
  await call("DELETE", `/tables/${table}/devices/${device}`, { token: tokenFor(null), key: newKey() }).catch(() => {});
}

function begin(table, port) {
  end();
  used = { table, port, at: port ? "looking" : "away", trouble: null, watch: watching(table), stopped: false };
  navigator.serial.addEventListener("connect", plugged);
  run(used);
  redraw();
}

function end() {
  if (!used) return;
  used.stopped = true;
  navigator.serial.removeEventListener("connect", plugged);
  used = null;
}

// Which of several boards was plugged in again is found by asking it.
function plugged({ target }) {
  if (used && !used.port) used.port = target;
}

function tell(one, at, trouble = null) {
  if (one.at === at && one.trouble === trouble) return;
  Object.assign(one, { at, trouble });
  if (one === used) redraw();
}

async function run(one) {
  while (!one.stopped) {
    if (one.port) await converse(one);
    else one.watch.tick(performance.now());
    await pause(one.stopped ? 0 : one.port ? REOPEN_MS : TICK_MS);
  }
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// One opening of the port, until it is unplugged or left alone.
async function converse(one) {
  const { port, watch } = one;
  try {
    await port.open({ baudRate: BAUD });
  } catch {
    return tell(one, "busy");
  }
  const writer = port.writable.getWriter();
  const reader = port.readable.getReader();
  let gone = false;
  const reading = (async () => {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      watch.receive(value, performance.now());
    }
  })().catch(() => (gone = true));
  watch.opened(performance.now());
  try {
    while (!one.stopped && !gone) {
      const bytes = watch.tick(performance.now());
      if (bytes.length) await writer.write(bytes);
      tell(one, watch.at(), watch.trouble());
      await pause(TICK_MS);
    }
  } catch {
    gone = true;
  }
  watch.closed();
  await reader.cancel().catch(() => {});
  await reading;
  reader.releaseLock();
  writer.releaseLock();
  await port.close().catch(() => {});
  if (one.stopped) return;
  one.port = gone ? null : port;
  tell(one, "away");
}

// The conversation with the board, and what of it the server has still to hear.
function watching(table) {
  const line = link();
  let powers = null;
  let lamps = null;
  let due = [];
  let sending = false;
  let held = 0;
  let version = false;
  let silent = false;
  let refused = null;

  const put = (bodies) => (due = [...due, ...bodies.map((body) => ({ key: newKey(), body: { ...body, at: new Date().toISOString() } }))]);

  function note(events, now) {
    for (const one of events) {
      if (one.event === "connected") met(one);
      else if (one.event === "taken") put(took(one.message));
      else if (one.event === "clock") put(powers.clock(one.time));
      else if (one.event === "version") version = true;
      else if (one.event === "answered") lamps.answered(one.command, one.result, now);
      else if (one.event === "silent") {
        silent = true;
        put(powers?.silent() ?? []);
      }
    }
  }

  function met({ hello, resumed }) {
    version = silent = false;
    const names = NAMES[hello.set];
    if (powers?.names !== names) {
      powers = positions(names);
      lamps = lights(names);
    } else if (!resumed) powers.restart();
    lamps.connected();
  }

  function took(message) {
    if (message?.kind === "snapshot") return powers.snapshot(message.time, message.cells.slice(0, line.hello.seats + 1));
    if (message?.kind === "change") return powers.change(message.time, message.place, message.cell);
    // Its memory was full: a snapshot follows.
    if (message?.kind === "error" && message.code === 3) powers.restart();
    return [];
  }

  function tick(now) {
    note(line.poll(now), now);
    if (line.connected && line.idle()) {
      const found = state.table?.id === table ? state.table.discrepancies : [];
      const command = lamps.next(found, line.hello, now);
      if (command) line.put(command);
    }
    if (due.length) send(now);
    else if (!sending) line.kept();
    return line.outgoing(now);
  }

  async function send(now) {
    if (sending || now < held) return;
    const token = place(table)?.board?.token;
    if (!token) return;
    sending = true;
    const [{ key, body }] = due;
    try {
      await call("POST", `/tables/${table}/observations`, { token, body, key });
      due.shift();
      refused = null;
    } catch (error) {
      trouble(error);
    }
    sending = false;
  }

  function trouble(error) {
    const now = performance.now();
    if (!(error instanceof Problem) || error.status === 429 || error.status >= 500) {
      held = now + Math.max(RETRY_MS, 1_000 * (error.retryAfter ?? 0));
    } else if ([401, 403, 410].includes(error.status)) {
      end();
      keepPlace(table, { board: null });
      notify(t("board.over"));
    } else {
      refused = troubleOf(error);
      held = now + AFTER_REFUSAL_MS;
      due = [];
      powers.forget();
      line.afresh(now);
    }
  }

  return {
    opened: line.opened,
    closed: line.closed,
    receive: (bytes, now) => note(line.receive(bytes, now), now),
    tick,
    seats: () => line.hello?.seats ?? null,
    trouble: () => refused,
    at: () => (version ? "version" : silent ? "silent" : line.connected ? "fine" : "looking"),
  };
}

// Which lights of a board show what has to be put right. No I/O.

const LIGHTS = 1;
const BUZZER = 2;
const [OFF, , SLOW, FAST] = [0, 1, 2, 3];
const BUZZ = { kind: "buzz", place: NONE, duration: 120, pitch: 2000 };
const LIGHT_RETRY_MS = 1_000;

/** Lights of a board whose powers have these names. */
export function lights(names) {
  let shown = new Map();
  let urgent = new Set();
  let buzz = false;
  let notBefore = 0;

  /** A board switches its lights off when it is connected to. */
  function connected() {
    shown = new Map();
    notBefore = 0;
  }

  /** The next command towards the table's discrepancies, or null. */
  function next(discrepancies, hello, now) {
    const wanted = wants(discrepancies);
    if (now < notBefore) return null;
    if (hello.features & LIGHTS) {
      for (const place of [...new Set([...shown.keys(), ...wanted.keys()])].sort((a, b) => a - b)) {
        const { pattern = OFF, power = NONE } = wanted.get(place) ?? {};
        if (place <= hello.seats && key(shown.get(place)) !== key(wanted.get(place))) return { kind: "light", place, pattern, power };
      }
    }
    return buzz && hello.features & BUZZER ? BUZZ : null;
  }

  // A power taken ahead of its card need not go back; an urgent one wins at a shared place.
  function wants(discrepancies) {
    const found = discrepancies.filter(({ power, should, kind }) => names.includes(power) && Number.isInteger(should) && kind !== "ahead");
    const pressing = new Set(found.filter(({ kind }) => kind === "misplaced").map(({ power, should }) => `${power} ${should}`));
    if ([...pressing].some((one) => !urgent.has(one))) buzz = true;
    else if (!pressing.size) buzz = false;
    urgent = pressing;
    const pattern = ({ kind }) => (kind === "misplaced" ? FAST : SLOW);
    return new Map([...found].sort((a, b) => pattern(a) - pattern(b)).map((one) => [one.should, { pattern: pattern(one), power: names.indexOf(one.power) }]));
  }

  /** A command's result; one that is refused is not repeated. */
  function answered(command, result, now) {
    if (command.kind === "buzz") buzz = false;
    else if (result === null) notBefore = now + LIGHT_RETRY_MS;
    else if (command.pattern === OFF) shown.delete(command.place);
    else shown.set(command.place, command);
  }

  return { connected, next, answered };
}

const key = (light) => (light ? `${light.pattern} ${light.power}` : "");

// The board of this computer, as the host sees it: use it, what it does, leave it alone.

/** A button, or the board that is used. */
export function boardPanel() {
  const { id } = state.table;
  const now = boardNow();
  if (now?.table === id) return card(id, now);
  return isHost() ? h("button", { class: "wide", key: "own-board", "data-do": "own-board", onclick: () => use(id) }, icon("tools"), t("board.use")) : null;
}

function card(id, { at, seats, trouble }) {
  const good = at === "fine" && !trouble;
  return h(
    "div",
    { class: "ask-card", key: "own-board", "data-at": at },
    h("p", { role: "status", class: good ? "" : "warn" }, icon(good ? "check" : "ask"), " ", trouble ?? t(`board.${at}`, { seats })),
    h("button", { class: "quiet", "data-do": "stop-board", onclick: () => stopBoard(id) }, t("board.stop")),
  );
}

async function use(id) {
  try {
    await useBoard(id);
  } catch (error) {
    // Whoever chooses no port has changed their mind.
    if (error.name !== "NotFoundError") notify(troubleOf(error));
  }
  redraw();
}
