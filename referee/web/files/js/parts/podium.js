// After the game: who stands where, the others below, and a picture to send.

import { file } from "../api.js";
import { h } from "../dom.js";
import { pixels, share } from "../files.js";
import { icon } from "../icons.js";
import { readToken, troubleOf } from "../session.js";
import { notify, state } from "../state.js";
import { t } from "../texts.js";
import { sides, teamMark } from "./teams.js";

const STEPS = 3;
/** Ways to score in which fewer points are better. */
export const LOWEST_WINS = ["low", "elimination"];
// As they stand on a podium, seen from the front.
const PLACES = [2, 1, 3];

// Who came when the game was over waits for the next one, and has no place in it.
function newcomers() {
  let found = [];
  for (const { kind, seats, was, state: then, undone } of state.entries) {
    if (kind === "game-started") found = [];
    if (kind !== "seats-changed" || undone || (then?.winner ?? null) === null) continue;
    found.push(...Object.keys(seats.join ?? {}).map(Number).filter((seat) => !was.back?.includes(seat)));
  }
  return new Set(found);
}

/** The places of a game that is over, `[{seat, name, points, place}]`, the best first; ties share one. */
export function ranking() {
  const { seats, state: now, options } = state.table;
  const winners = [now.winner ?? []].flat();
  const low = LOWEST_WINS.includes(options.scoring) ? 1 : -1;
  const after = newcomers();
  const all = sides(state.table)
    .filter(({ seats: [seat] }) => !after.has(seat))
    .map(({ seats: members, names, points, team }) => ({ seat: members[0], name: names, team, here: seats[members[0] - 1].in, points, won: members.some((seat) => winners.includes(seat)) }));
  all.sort((a, b) => b.won - a.won || low * (a.points - b.points));
  const same = (a, b) => a.won && b.won || (a.won === b.won && a.points === b.points);
  for (const [at, one] of all.entries()) one.place = at && same(all[at - 1], one) ? all[at - 1].place : at + 1;
  return all;
}

/** The podium of three, in an order that reads first to last for ears. */
export function podium() {
  const all = ranking();
  // Equals stand on steps together or not at all.
  const up = all.filter(({ place }) => all.filter((one) => one.place <= place).length <= STEPS);
  const step = (one, at) =>
    h(
      "li",
      { key: one.seat, class: `step place-${one.place} column-${PLACES.indexOf(at + 1) + 1}${one.won ? " won" : ""}` },
      h("span", { class: "step-name" }, one.team < 0 ? null : teamMark(one.team), one.name),
      h("span", { class: "step-block" }, h("strong", { class: "step-place" }, String(one.place)), h("span", { class: "step-points" }, String(one.points))),
    );
  const below = (one) => h("li", { key: one.seat }, h("span", {}, `${one.place}. ${one.name}`), h("strong", {}, String(one.points)));
  return h(
    "div",
    { class: "podium-box" },
    up.length ? h("ol", { class: "podium", "aria-label": t("play.scores") }, up.map(step)) : null,
    all.length > up.length ? h("ol", { class: "rest", start: up.length + 1 }, all.slice(up.length).map(below)) : null,
  );
}

/** A button that hands the picture of the game on. */
export function sharePicture() {
  return h("button", { class: "wide", "data-do": "share-game", onclick: send }, icon("share"), t("scores.share"));
}

async function send() {
  try {
    const drawing = await file(`/tables/${state.table.id}/scores.svg`, { token: readToken() });
    await share(await pixels(drawing), `${t("scores.file")}.png`, t("scores.title"));
  } catch (error) {
    notify(troubleOf(error));
  }
}
