// The board protocol's frames and messages, both versions, as docs/board-protocol.md has them. No I/O.

const HEADER = 4;
const CRC = 4;
const MOST_STUFFED = 207;
/** The version that is spoken first; a board may know version 1 alone. */
export const VERSION = 2;
// Begins a frame of version 2, in which no byte is a 3, either.
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
export function crc32(bytes) {
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

/** The bytes that carry a packet, in the version that it names. */
export function frame(packet) {
  const crc = crc32(packet);
  const inside = stuff([...packet, crc & 255, (crc >>> 8) & 255, (crc >>> 16) & 255, crc >>> 24]);
  return Uint8Array.from([0, ...(packet[0] === 2 ? [MARK, ...stuff(inside, INTERRUPT, FIRST_CODE)] : inside), 0]);
}

function unwrap(inside) {
  if (inside[0] !== MARK) return unstuff(inside);
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
    if ((stuffed[0] === MARK) !== (packet[0] === 2)) return drop();
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
  0x04: ["heartbeat", { time: 4, newest: 2, speaks: "may lack" }],
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
const LENGTHS = { id: 8, version: 3, rest: 1, four: 8, "may lack": 1 };
const TYPES = Object.fromEntries(Object.entries(MESSAGES).map(([type, [name, fields]]) => [name, [Number(type), fields]]));

const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The packet of a message to the board: `{kind, seq, …}` with its fields. */
export function pack({ kind, seq = 0, ...values }, version = VERSION) {
  const [type, fields] = TYPES[kind];
  const bytes = [version, type, seq & 255, seq >>> 8];
  for (const [name, size] of Object.entries(fields)) {
    for (let at = 0; at < size; at++) bytes.push((values[name] / 2 ** (8 * at)) & 255);
  }
  return Uint8Array.from(bytes);
}

/** The message in a packet, `{kind, version, seq, …}`; or what is wrong with it, `{wrong: "version" | "type" | "short"}`. */
export function unpack(packet) {
  if (packet[0] !== 1 && packet[0] !== 2) return { wrong: "version", version: packet[0] };
  if (!(packet[1] in MESSAGES)) return { wrong: "type" };
  const [kind, fields] = MESSAGES[packet[1]];
  const found = { kind, version: packet[0], seq: packet[2] | (packet[3] << 8) };
  let at = HEADER;
  for (const [name, size] of Object.entries(fields)) {
    const length = LENGTHS[size] ?? size;
    // Older releases say nothing of it.
    if (size === "may lack" && at === packet.length) {
      found[name] = 1;
      continue;
    }
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
