// The host's end of a connection with a board: bytes in, events and bytes out. No I/O, no clock: `now` is in
// milliseconds of any clock that never goes back.

import { deframer, frame, pack, unpack, VERSION } from "./wire.js";

const CONNECT_EVERY = 250;
const SILENCE = 2_000;
const ACK_EVERY = 800;
// An announced message that does not come within this time: connect anew.
const BEHIND = 2_000;
const BOARD_PATIENCE = 5_000;
const RETRY_AFTER = 200;
const RETRIES = 5;
const CLOCK_SLACK = 1_000;
// So long a board that speaks version 1 alone is taken to be running: one that starts must not hear that version.
const OLD_LASTS = 1_200;
const MOST_SEATS = 10;
// Messages that nobody has acknowledged.
const BOARD_KEEPS = 512;

const before = (a, b) => ((b - a) & 0xffff) >= 1 && ((b - a) & 0xffff) <= 32767;
const following = (seq, count = 1) => (seq + count) & 0xffff;
/** Milliseconds between two times of a board, negative if its clock went back. */
export const elapsed = (since, now) => (now - since) | 0;

/**
 * A link. Its events are `{event: "connected", hello, resumed}`, `{event: "taken", message}` (null for a place that
 * does not exist), `{event: "clock", time}`, `{event: "silent"}`, `{event: "version", version}` and
 * `{event: "answered", command, result}` (null if the board never answered).
 */
export function link() {
  const self = { hello: null, connected: false, idle, opened, closed, receive, poll, outgoing, kept, put, afresh };
  const frames = deframer();
  let boot = 0;
  let taken = 0;
  let stored = 0;
  let out = [];
  let open = false;
  let trusted = null;
  let silent = false;
  let told = false;
  let connectAt = 0;
  let ackDue = false;
  let ackAt = 0;
  let behind = null;
  let boardTime = null;
  let waiting = [];
  let underWay = null;
  let number = 0;
  let oldAt = null;

  function idle() {
    return !underWay && !waiting.length;
  }

  /** The port is open. */
  function opened(now) {
    frames.feed([0]);
    out = [];
    open = true;
    oldAt = null;
    begin(now);
  }

  /** The port is gone. */
  function closed() {
    open = self.connected = false;
    out = [];
  }

  /** All messages taken so far are stored; only these are acknowledged. */
  function kept() {
    if (before(stored, taken)) {
      stored = taken;
      ackDue = true;
    }
  }

  /** Have everything stated again. */
  function afresh(now) {
    boot = taken = stored = 0;
    begin(now);
  }

  /** Queue a command; it gets its number when it is sent. */
  function put(command) {
    waiting.push(command);
  }

  function begin(now) {
    self.connected = false;
    told = ackDue = false;
    connectAt = now;
    trusted ??= now;
  }

  function receive(bytes, now) {
    const events = [];
    for (const packet of frames.feed(bytes)) {
      const message = unpack(packet);
      if (message.wrong === "version" && !told) {
        told = true;
        events.push({ event: "version", version: message.version });
      }
      if (message.wrong) continue;
      if (self.connected) trusted = now;
      learnVersion(message, now);
      read(message, now, events);
    }
    return events;
  }

  // A board's heartbeats say which versions it speaks.
  function learnVersion({ kind, version, speaks }, now) {
    const wasOld = oldAt !== null;
    if (version > 1) oldAt = null;
    else if (kind === "heartbeat") oldAt = speaks < VERSION ? now : null;
    else if (wasOld) oldAt = now;
    if (oldAt !== null && !wasOld && !self.connected) connectAt = now;
  }

  function read(message, now, events) {
    const { kind } = message;
    if (kind === "hello") greet(message, now, events);
    else if (kind === "done") answered(message, events);
    else if (!self.connected) return;
    else if (kind === "heartbeat") compare(message, now, events);
    else if (["snapshot", "change", "error"].includes(kind)) take(message, events);
  }

  function greet(hello, now, events) {
    if (![1, 2].includes(hello.set) || hello.seats < 1 || hello.seats > MOST_SEATS || !hello.boot) return;
    // An earlier connect may be answered after messages were taken: those that come again are duplicates.
    const last = following(hello.next, -1);
    const resumed = hello.boot === boot && ((taken - last) & 0xffff) <= BOARD_KEEPS;
    if (!resumed) {
      boot = hello.boot;
      taken = stored = last;
    }
    self.hello = hello;
    self.connected = true;
    trusted = ackAt = now;
    silent = false;
    behind = boardTime = null;
    waiting = [];
    underWay = null;
    events.push({ event: "connected", hello, resumed });
  }

  function take(message, events) {
    if (message.seq !== following(taken)) {
      // A message taken but not yet stored is acknowledged once it is.
      ackDue ||= before(taken, message.seq) || !before(stored, message.seq);
      return;
    }
    taken = message.seq;
    behind = null;
    events.push({ event: "taken", message: exists(message) ? message : null });
  }

  function exists({ kind, place, cells }) {
    const { seats } = self.hello;
    return kind === "snapshot" ? cells.length > seats : place <= seats || (kind === "error" && place === 255);
  }

  // A heartbeat may overtake messages, and they it.
  function compare({ time, newest }, now, events) {
    const last = boardTime;
    boardTime = time;
    if (last !== null && elapsed(last, time) < -CLOCK_SLACK) return begin(now);
    if (newest === taken) {
      behind = null;
      events.push({ event: "clock", time });
    } else if (taken === stored) {
      ackDue = true;
      behind ??= now;
      if (now - behind >= BEHIND) {
        behind = null;
        begin(now);
      }
    }
  }

  function answered({ seq, result }, events) {
    if (underWay?.seq !== seq) return;
    events.push({ event: "answered", command: underWay.command, result });
    underWay = null;
  }

  /** Events of time that passes; call it at least every 50 ms, after `receive`. */
  function poll(now) {
    const events = [];
    trusted ??= now;
    if (now - trusted >= SILENCE) {
      if (self.connected) begin(now);
      if (!silent) events.push({ event: "silent" });
      silent = true;
    } else if (self.connected && now - ackAt >= BOARD_PATIENCE) begin(now);
    if (!open) return events;
    if (!self.connected) {
      if (now >= connectAt) connect(now);
      return events;
    }
    if (now - ackAt >= ACK_EVERY) ackDue = true;
    command(now, events);
    return events;
  }

  function connect(now) {
    send({ kind: "connect", boot, last: stored }, now);
    connectAt = now + CONNECT_EVERY;
  }

  function command(now, events) {
    if (underWay) {
      if (now - underWay.at < RETRY_AFTER) return;
      if (underWay.tries > RETRIES) {
        events.push({ event: "answered", command: underWay.command, result: null });
        underWay = null;
      }
    }
    if (!underWay) {
      if (!waiting.length) return;
      number = (number % 65535) + 1;
      underWay = { command: waiting.shift(), seq: number, tries: 0 };
    }
    underWay.tries++;
    underWay.at = now;
    send({ ...underWay.command, seq: underWay.seq }, now);
  }

  const send = (message, now) => out.push(...frame(pack(message, oldAt !== null && now - oldAt < OLD_LASTS ? 1 : VERSION)));

  /** The bytes to send now, once. */
  function outgoing(now) {
    if (ackDue && self.connected) {
      send({ kind: "ack", last: stored }, now);
      ackDue = false;
      ackAt = now;
    }
    const bytes = Uint8Array.from(out);
    out = [];
    return bytes;
  }

  return self;
}
