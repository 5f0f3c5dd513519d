// The board protocol: frames, messages, and the host's end of a connection. No I/O.


// The board protocol's frames and messages, as docs/board-protocol.md has them. No I/O.

const HEADER = 4;
const CRC = 4;
const MOST_STUFFED = 207;
const VERSION = 2;
// Begins each frame, in which no byte is a 3, either.
const MARK = 0xf2;
const INTERRUPT = 3;
const FIRST_CODE = 4;
/** A place, or power, that is none. */
export const NONE = 255;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest;
});

/** The CRC-32 of bytes, as in zlib. */
function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = TABLE[(crc ^ byte) & 255] ^ (crc >>> 8);
  return ~crc >>> 0;
}

// Each run without the byte left out goes after its length plus `first`. By default it is COBS.
function stuff(data, leftOut = 0, first = 1) {
  const out = [0];
  let code = 0;
  const close = () => (out[code] = out.length - code - 1 + first);
  for (const byte of data) {
    if (byte !== leftOut) out.push(byte);
    else {
      close();
      code = out.push(0) - 1;
    }
  }
  close();
  return out;
}

function unstuff(stuffed, leftOut = 0, first = 1) {
  const out = [];
  for (let at = 0; at < stuffed.length; ) {
    const after = at + 1 + stuffed[at] - first;
    if (after <= at || after > stuffed.length) return null;
    if (at) out.push(leftOut);
    out.push(...stuffed.slice(at + 1, after));
    at = after;
  }
  return out;
}

/** The bytes that carry a packet. */
export function frame(packet) {
  const crc = crc32(packet);
  const inside = stuff([...packet, crc & 255, (crc >>> 8) & 255, (crc >>> 16) & 255, crc >>> 24]);
  return Uint8Array.from([0, MARK, ...stuff(inside, INTERRUPT, FIRST_CODE), 0]);
}

function unwrap(inside) {
  if (inside[0] !== MARK) return null;
  const once = unstuff(inside.slice(1), INTERRUPT, FIRST_CODE);
  return once && unstuff(once);
}

/** Finds packets in bytes that may hold anything else; `feed(bytes)` returns those completed. */
export function deframer() {
  let begun = [];
  let skipping = false;
  const self = { good: 0, dropped: 0, feed };

  function feed(bytes) {
    const packets = [];
    for (const byte of bytes) {
      if (byte) add(byte);
      else {
        const packet = finish();
        if (packet) packets.push(packet);
      }
    }
    return packets;
  }

  function add(byte) {
    if (skipping) return;
    begun.push(byte);
    if (begun.length > MOST_STUFFED) {
      self.dropped++;
      skipping = true;
      begun = [];
    }
  }

  function finish() {
    const stuffed = begun;
    const skipped = skipping;
    begun = [];
    skipping = false;
    if (skipped || !stuffed.length) return null;
    const checked = unwrap(stuffed);
    if (!checked || checked.length < HEADER + CRC) return drop();
    const packet = Uint8Array.from(checked.slice(0, -CRC));
    const [a, b, c, d] = checked.slice(-CRC);
    if (crc32(packet) !== (a | (b << 8) | (c << 16) | (d << 24)) >>> 0) return drop();
    self.good++;
    return packet;
  }

  function drop() {
    self.dropped++;
    return null;
  }

  return self;
}

// The fields of each message, with their sizes in bytes.
const MESSAGES = {
  0x01: ["hello", { board: "id", boot: 4, firmware: "version", set: 1, seats: 1, features: 1, next: 2 }],
  0x02: ["snapshot", { time: 4, cells: "rest" }],
  0x03: ["change", { time: 4, place: 1, cell: 1 }],
  0x04: ["heartbeat", { time: 4, newest: 2 }],
  0x05: ["error", { time: 4, code: 1, place: 1, detail: 2 }],
  0x06: ["done", { result: 1 }],
  0x07: ["levels", { place: 1, cell: 1, levels: "four", middles: "four", present: 2, absent: 2, broken: 2, short: 2 }],
  0x81: ["connect", { boot: 4, last: 2 }],
  0x82: ["ack", { last: 2 }],
  0x83: ["light", { place: 1, pattern: 1, power: 1 }],
  0x84: ["buzz", { place: 1, duration: 2, pitch: 2 }],
  0x85: ["look", {}],
  0x86: ["measure", { seconds: 1 }],
  0x87: ["calibrate", {}],
};
const LENGTHS = { id: 8, version: 3, rest: 1, four: 8 };
const TYPES = Object.fromEntries(Object.entries(MESSAGES).map(([type, [name, fields]]) => [name, [Number(type), fields]]));

const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The packet of a message to the board: `{kind, seq, …}` with its fields. */
export function pack({ kind, seq = 0, ...values }) {
  const [type, fields] = TYPES[kind];
  const bytes = [VERSION, type, seq & 255, seq >>> 8];
  for (const [name, size] of Object.entries(fields)) {
    for (let at = 0; at < size; at++) bytes.push((values[name] / 2 ** (8 * at)) & 255);
  }
  return Uint8Array.from(bytes);
}

/** The message in a packet, `{kind, seq, …}`; or what is wrong with it, `{wrong: "version" | "type" | "short"}`. */
export function unpack(packet) {
  if (packet[0] !== VERSION) return { wrong: "version", version: packet[0] };
  if (!(packet[1] in MESSAGES)) return { wrong: "type" };
  const [kind, fields] = MESSAGES[packet[1]];
  const found = { kind, seq: packet[2] | (packet[3] << 8) };
  let at = HEADER;
  for (const [name, size] of Object.entries(fields)) {
    const length = LENGTHS[size] ?? size;
    if (at + length > packet.length) return { wrong: "short" };
    const bytes = packet.subarray(at, size === "rest" ? packet.length : at + length);
    if (size === "id") found[name] = hex(bytes);
    else if (size === "four") found[name] = [0, 2, 4, 6].map((one) => bytes[one] | (bytes[one + 1] << 8));
    else if (size === "version" || size === "rest") found[name] = [...bytes];
    else found[name] = bytes.reduceRight((sum, byte) => 256 * sum + byte, 0);
    at += length;
  }
  return found;
}

// The host's end of a connection with a board: bytes in, events and bytes out. No I/O, no clock: `now` is in
// milliseconds of any clock that never goes back.

const CONNECT_EVERY = 250;
const SILENCE = 2_000;
const ACK_EVERY = 800;
// An announced message that does not come within this time: connect anew.
const BEHIND = 2_000;
const BOARD_PATIENCE = 5_000;
const RETRY_AFTER = 200;
const RETRIES = 5;
const CLOCK_SLACK = 1_000;
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

  function idle() {
    return !underWay && !waiting.length;
  }

  /** The port is open. */
  function opened(now) {
    frames.feed([0]);
    out = [];
    open = true;
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
      read(message, now, events);
    }
    return events;
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
    send({ kind: "connect", boot, last: stored });
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
    send({ ...underWay.command, seq: underWay.seq });
  }

  const send = (message) => out.push(...frame(pack(message)));

  /** The bytes to send now, once. */
  function outgoing(now) {
    if (ackDue && self.connected) {
      send({ kind: "ack", last: stored });
      ackDue = false;
      ackAt = now;
    }
    const bytes = Uint8Array.from(out);
    out = [];
    return bytes;
  }

  return self;
}
