// Computers beside the table that come along: this browser's key brings them to the tables that are opened here.

import { newKey, post } from "./api.js";
import { read, write } from "./kept.js";

/** Whether a computer was let in from here that may come along. */
export const bringsComputers = () => read("along", null) !== null;

/** The key of this browser, which is made when it is first needed, and goes to no table. */
export function alongKey() {
  if (!bringsComputers()) write("along", newKey() + newKey());
  return read("along", null);
}

/**
 * Bring computers to a table, as its host: "free" ones, "none", or one by its id. Returns all that come along,
 * `[{id, name, devices, place}]`.
 */
export const bring = async (table, token, which) => (await post(`/tables/${table}/computers`, { key: alongKey(), which }, { token })).items;

// Of a computer's name; those between are left out. At the end stands the number that tells it apart.
const FIRST_LETTERS = 36;
const LAST_LETTERS = 4;

/** A computer's name within a sentence: cut where it is long, and of its own direction. */
export function named(name) {
  const letters = [...name];
  const long = letters.length > FIRST_LETTERS + LAST_LETTERS;
  return `\u2068${long ? `${letters.slice(0, FIRST_LETTERS).join("")}…${letters.slice(-LAST_LETTERS).join("")}` : name}\u2069`;
}
