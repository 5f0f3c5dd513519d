// The club evening that is looked at: reading it again and again, and acting as its organiser.

import { call, get, newKey, Problem } from "./api.js";
import { read, write } from "./kept.js";
import { troubleOf } from "./session.js";
import { notify, redraw } from "./state.js";

const EVERY_MS = 4_000;
const SECOND_MS = 1_000;

/** What was read last: the tournament, its standings, and when, by this phone's clock. */
export const club = { id: null, shown: null, standings: [], at: 0, trouble: null };
let timer = null;
let ticker = null;

/** The evenings that this phone organises, the newest first: `{id, name, token}`. */
export const mine = () => read("clubs", []);

/** Remember an evening that was made here. */
export function keepClub(one) {
  write("clubs", [one, ...mine().filter(({ id }) => id !== one.id)]);
}

/** The organiser's token, null for everybody else. */
export const tokenOf = (id) => mine().find((one) => one.id === id)?.token ?? null;

export const organises = () => club.id !== null && tokenOf(club.id) !== null;

/** Look at an evening for as long as the address names it. */
export async function lookAt(id) {
  if (club.id !== id) Object.assign(club, { id, shown: null, standings: [], trouble: null });
  clearInterval(timer);
  clearInterval(ticker);
  timer = setInterval(() => (isHere(id) ? refresh() : stop()), EVERY_MS);
  // The clock goes on between two readings, and a TV turns its pages.
  ticker = setInterval(() => isHere(id) && (club.shown?.present?.clock || location.pathname.endsWith("/wall")) && redraw(), SECOND_MS);
  await refresh();
}

const isHere = (id) => location.pathname.startsWith(`/club/${id}`);

function stop() {
  clearInterval(timer);
  clearInterval(ticker);
}

/** Read it again. */
export async function refresh() {
  const { id } = club;
  const token = tokenOf(id) ?? undefined;
  try {
    const [shown, standings] = await Promise.all([get(`/tournaments/${id}`, { token }), get(`/tournaments/${id}/standings`, { token })]);
    // Whoever came with an organiser's link learns the evening's name here.
    if (token && mine().some((one) => one.id === id && one.name !== shown.name)) keepClub({ id, name: shown.name, token });
    if (club.id === id) Object.assign(club, { shown, standings: standings.items, at: Date.now(), trouble: null });
  } catch (error) {
    if (club.id === id) club.trouble = troubleOf(error);
    if (error instanceof Problem && error.status < 500) stop();
  }
  redraw();
}

/** Do something as the organiser; what went wrong as a sentence, null if it is done. */
export async function act(method, path, body) {
  try {
    await call(method, `/tournaments/${club.id}${path}`, { token: tokenOf(club.id), body, key: newKey() });
    await refresh();
    return null;
  } catch (error) {
    return troubleOf(error);
  }
}

/** Do it, and say what went wrong. */
export async function attempt(method, path, body) {
  notify(await act(method, path, body));
}

/** The seconds left of a clock that was read at a time, null without one. */
export function secondsLeft(clock, at = club.at) {
  if (!clock) return null;
  const passed = clock.state === "running" ? Math.floor((Date.now() - at) / SECOND_MS) : 0;
  return Math.max(0, clock.left - passed);
}

/** Seconds as people read them on a clock. */
export const asClock = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
