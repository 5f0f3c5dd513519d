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

// Of a computer's name; the rest is left out.
const MOST_LETTERS = 40;

/** A computer's name within a sentence: cut where it is long, and of its own direction. */
export function named(name) {
  const letters = [...name];
  return `\u2068${letters.length > MOST_LETTERS ? `${letters.slice(0, MOST_LETTERS).join("")}…` : name}\u2069`;
}

// So many numbers are remembered, those of the things seen last.
const MOST_NUMBERS = 200;

/**
 * What tells things of one name apart: behind the name of all but the first of them a number, which each keeps as
 * long as it is there.
 */
export function numberOf({ id, name }, all) {
  const kept = read("numbers", {});
  const same = all.filter((one) => one.name === name).map((one) => one.id);
  const numbers = same.map((_, at) => at + 1).filter((number) => !same.some((one) => kept[one] === number));
  const fresh = same.filter((one) => !kept[one]);
  for (const one of fresh) kept[one] = numbers.shift();
  if (fresh.length) write("numbers", Object.fromEntries(Object.entries(kept).slice(-MOST_NUMBERS)));
  return kept[id] > 1 ? ` ${kept[id]}` : "";
}
