// The client, and writing so that a broken connection neither loses a move nor makes it twice.

import { randomUUID } from "node:crypto";
import createClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./referee.js";

export type Schemas = components["schemas"];
export type Referee = Client<paths>;

/** How the server answers: what was asked for, or a problem. */
interface Answer<T> {
  data?: T;
  error?: Schemas["Problem"];
  response: Response;
}

/** What the server refuses, in the words of the reader's language. */
export class Refused extends Error {
  constructor(readonly problem: Schemas["Problem"]) {
    super(problem.detail);
  }
}

/** A client of one server, in one language; without a token until a table has been joined. */
export function connect(server: string, language: string, token?: string): Referee {
  const headers: Record<string, string> = { "Accept-Language": language };
  if (token) headers["Authorization"] = `Bearer ${token}`;
  return createClient<paths>({ baseUrl: server, headers });
}

export const pause = (seconds: number) =>
  new Promise((done) => setTimeout(done, 1000 * seconds));

const TRIES = 8;

/**
 * Send a write until it is answered. Each try brings the same key, so that the server gives the
 * answer it gave the first time if it did hear that. Throws Refused.
 */
export async function write<T>(send: (key: string) => Promise<Answer<T>>): Promise<T> {
  const key = randomUUID();
  for (let tried = 1; ; tried++) {
    let wait = Math.min(0.25 * 2 ** tried, 10);
    try {
      const { data, error, response } = await send(key);
      if (data !== undefined) return data;
      const later = response.headers.get("Retry-After");
      if (error && (!later || tried === TRIES)) throw new Refused(error);
      wait = Number(later ?? wait);
    } catch (failure) {
      // fetch says so when there is no connection.
      if (!(failure instanceof TypeError) || tried === TRIES) throw failure;
    }
    await pause(wait);
  }
}
