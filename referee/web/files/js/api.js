// The server: its API, JSON in, JSON out, problems as errors; and its events as they happen.

import { language } from "./texts.js";

// The server's API: JSON in, JSON out, problems as errors.

const BASE = "/api/v1";
const PATIENCE_MS = 10_000;

/** An answer that says no: `status`, `kind` (the problem's type) and a sentence for people. */
export class Problem extends Error {
  constructor(status, body) {
    super(body.detail ?? body.title ?? String(status));
    this.status = status;
    this.kind = String(body.type ?? "").replace("/problems/", "");
    this.errors = body.errors ?? [];
    this.retryAfter = body.retry_after ?? 2;
    this.rule = body.rule ?? null;
  }

  /** What went wrong, for people: the name of a single field means something to a program only. */
  get said() {
    const reasons = this.errors.map(({ reason }) => reason.replace(/\.$/, ""));
    const [first] = reasons;
    if (reasons.length === 1 && this.message.startsWith(this.errors[0].field) && this.message.replace(/\.$/, "").endsWith(first)) {
      return `${first[0].toLocaleUpperCase(language())}${first.slice(1)}.`;
    }
    return [this.message, ...reasons.filter((reason) => !this.message.includes(reason))].join(" ");
  }
}

/** The server cannot be reached; nobody knows whether it heard. */
export class Unreachable extends Error {}

/**
 * Send a request. `body` is JSON, or a Blob with its own type; `patience` the ms to wait for an answer.
 * Throws Problem for an answer of 4xx or 5xx, and Unreachable without one.
 */
export async function call(method, path, { token, body, key, match, query = {}, patience = body instanceof Blob ? 6 * PATIENCE_MS : PATIENCE_MS } = {}) {
  const headers = { "Accept-Language": language() };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (key) headers["Idempotency-Key"] = key;
  if (match !== undefined && match !== null) headers["If-Match"] = `"${match}"`;
  let sent;
  if (body instanceof Blob) {
    headers["Content-Type"] = body.type;
    sent = body;
  } else if (body !== undefined) {
    headers["Content-Type"] = "application/json";
    sent = JSON.stringify(body);
  }
  const search = new URLSearchParams({ ...query, lang: language() });
  let answer;
  try {
    const signal = AbortSignal.timeout?.(patience);
    answer = await fetch(`${BASE}${path}?${search}`, { method, headers, body: sent, signal });
    const read = await answer.text();
    const value = read ? JSON.parse(read) : null;
    if (!answer.ok) throw new Problem(answer.status, value ?? {});
    return value;
  } catch (error) {
    if (error instanceof Problem) throw error;
    if (answer && !answer.ok) throw new Problem(answer.status, {});
    throw new Unreachable(String(error));
  }
}

/** Read a file, such as a picture, as a Blob. Throws Problem or Unreachable. */
export async function file(path, { token, query = {} }) {
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  let answer;
  try {
    const signal = AbortSignal.timeout?.(PATIENCE_MS);
    answer = await fetch(`${BASE}${path}?${new URLSearchParams({ ...query, lang: language() })}`, { headers, signal });
    if (answer.ok) return await answer.blob();
  } catch (error) {
    throw new Unreachable(String(error));
  }
  throw new Problem(answer.status, await answer.json().catch(() => ({})));
}

/** Read something. */
export const get = (path, options) => call("GET", path, options);

/** Write something; with an Idempotency-Key, so that it may be sent again. */
export const post = (path, body, options) =>
  call("POST", path, { key: newKey(), ...options, body });

/** A key that no other write has. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// The table's events as they happen: an EventSource that comes back by itself, after what it saw.

const KINDS = [
  "created mode-chosen group-chosen joined token-issued language-chosen token-revoked token-rotated host-made",
  "host-ended host-asked host-agreed host-request-ended code-renewed closed opened-again",
  "device-registered device-silent device-heard observed dealer-drawn custom-proposed",
  "custom-approved custom-withdrawn house-rules-proposed house-rules-approved house-rules-ended",
  "timer-chosen time-up confirmed asked answered lapsed round-opened round-counted",
  "seats-changed game-ended game-started moved corrected",
].flatMap((line) => line.split(" "));
const RETRY_MS = [300, 1_000, 2_000, 4_000, 8_000];
// A dead Wi-Fi closes nothing: silence is tried out now and then.
const PROBE_MS = 8_000;
const PROBE_PATIENCE_MS = 4_000;

/**
 * Follow a table from an event on. `on` is told `entry(entry)`, `link("live" | "connecting" |
 * "lost")`, `pairings()` when there is news of who asks to be let in with devices, and `over(problem)`
 * when the token opens nothing any more. Returns a way to stop.
 */
export function follow(table, token, after, on) {
  let last = after;
  let source = null;
  let tries = 0;
  let timer = 0;
  let stopped = false;

  async function open() {
    clearTimeout(timer);
    close();
    try {
      const { ticket } = await post(`/tables/${table}/stream-tickets`, undefined, { token });
      if (stopped) return;
      const query = new URLSearchParams({ ticket, after: last, lang: language(), pairings: true });
      source = new EventSource(`/api/v1/tables/${table}/events?${query}`);
      source.onopen = () => {
        tries = 0;
        on.link("live");
      };
      source.onerror = () => again();
      source.addEventListener("closing", ({ data }) => again(JSON.parse(data).seconds));
      source.addEventListener("revoked", () => end(null));
      source.addEventListener("pairings", on.pairings);
      for (const kind of KINDS) source.addEventListener(kind, take);
    } catch (error) {
      const gone = error instanceof Problem && [401, 403, 404].includes(error.status);
      if (gone) end(error);
      else again();
    }
  }

  function take(event) {
    const entry = JSON.parse(event.data);
    if (entry.id <= last) return;
    last = entry.id;
    on.entry(entry);
  }

  function close() {
    source?.close();
    source = null;
  }

  // A stream that had to make room for others says in how many seconds to come back.
  function again(seconds = 0) {
    if (stopped) return;
    close();
    on.link(tries || !navigator.onLine ? "lost" : "connecting");
    clearTimeout(timer);
    timer = setTimeout(open, 1_000 * seconds || RETRY_MS[Math.min(tries, RETRY_MS.length - 1)]);
    tries += 1;
  }

  function end(problem) {
    stop();
    on.over(problem);
  }

  async function probe() {
    if (stopped || document.hidden) return;
    if (!source) return;
    try {
      await fetch("/health", { cache: "no-store", signal: AbortSignal.timeout?.(PROBE_PATIENCE_MS) });
    } catch {
      again();
    }
  }

  const lost = () => {
    tries = Math.max(tries, 1);
    again();
  };
  const back = () => {
    tries = 0;
    open();
  };
  const seen = () => (source ? probe() : back());
  const probing = setInterval(probe, PROBE_MS);
  addEventListener("offline", lost);
  addEventListener("online", back);
  document.addEventListener("visibilitychange", seen);

  function stop() {
    stopped = true;
    close();
    clearTimeout(timer);
    clearInterval(probing);
    removeEventListener("offline", lost);
    removeEventListener("online", back);
    document.removeEventListener("visibilitychange", seen);
  }

  open();
  return { stop, reopen: back };
}

/** What happened last, before following begins. */
export async function recent(table, token, version, count) {
  const after = Math.max(0, version - count);
  return (await get(`/tables/${table}/events`, { token, query: { after, limit: count } })).items;
}
