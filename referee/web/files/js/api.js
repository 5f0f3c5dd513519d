// The server's API: JSON in, JSON out, problems as errors.

import { language } from "./texts.js";

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
