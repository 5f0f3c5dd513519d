// The table as everybody sees it: scores, the pile, the seats.

import { cardBack, cardFace, colorMark, letters } from "../cards.js";
import { h, icon } from "../dom.js";
import { ownSeat } from "../session.js";
import { seated, state } from "../state.js";
import { t, word, writtenOn } from "../texts.js";
import { bannerNow } from "./banner.js";
import { powerButton } from "./picker.js";
import { brought, everybody, markOf, podium, rankIn, sides, teamMark, teamOf, teamTotals } from "./podium.js";
import { ring } from "./timer.js";

// The scores between two rounds, in one line each; after the game a podium.

/** Who has won a game, alone or with others. */
export const wonBy = (names) => t(names.length > 1 ? "play.game-shared" : "play.game-won", { seat: names.join(", ") });

/** Everybody's points after a round; after the game who has won, and who stands where. */
export function scoreLine() {
  const { seats, state: now, options } = state.table;
  const winners = [now.winner ?? []].flat();
  if (winners.length) return end(winners.map((seat) => seats[seat - 1].name));
  const first = now.round_winner ? t("play.round-won", { seat: seats[now.round_winner - 1].name }) : t("play.scores");
  const rank = rankIn(state.table);
  const points = (seat) => now.scores[seat - 1] ?? 0;
  const best = [...seats].sort((a, b) => rank(a.seat, points(a.seat)) - rank(b.seat, points(b.seat)));
  return h(
    "section",
    { class: "scores", "aria-label": t("play.scores") },
    // A banner says it larger.
    h("h2", { class: bannerNow() ? "heard" : null }, first),
    options.teams ? teamLines() : h(
      "ul",
      {},
      best.map(({ seat, name, in: here, out }) =>
        h(
          "li",
          { key: seat, class: now.round_winner === seat ? "won" : "" },
          h("span", {}, name, here === false ? h("span", { class: "you" }, t(out ? "teams.out" : "seats.gone")) : null),
          brought([seat]),
          h("strong", {}, String(points(seat))),
          options.target ? h("progress", { key: `of-${points(seat)}`, max: options.target, value: points(seat), "aria-hidden": "true" }) : null,
        ),
      ),
    ),
  );
}

// A line a team, with what its members have brought.
function teamLines() {
  const { seats, state: now, options } = state.table;
  const share = (seat) => `${seats[seat - 1].name} ${now.scores[seat - 1] ?? 0}`;
  return h(
    "ul",
    {},
    sides(state.table).map(({ seats: members, points, team }) =>
      h(
        "li",
        { key: team, class: `side of-team-${team}${members.includes(now.round_winner) ? " won" : ""}` },
        h("span", {}, teamMark(team), members.map(share).join(" + ")),
        brought(members),
        h("strong", {}, String(points)),
        options.target ? h("progress", { key: `of-${points}`, max: options.target, value: points, "aria-hidden": "true" }) : null,
      ),
    ),
  );
}

const end = (names) =>
  h("section", { class: "scores end", "aria-label": t("play.scores") }, h("h2", { class: bannerNow()?.banner.event.startsWith("game-") ? "heard" : null }, wonBy(names)), podium());

// The middle of the table: the card on top, whose turn it is, colour and direction, what is owed.

const LAYS = ["play", "flip"];

// Banners from which it is plain whose turn it is.
const YOURS = new Set(["turn", "respond"]);

/** The pile of a round that is being played. */
export function pile() {
  const { table, choices } = state;
  const { ruleset, state: now } = table;
  // Whoever is on turn may have to wait, as for the hand that a challenge shows, or for a dare.
  const own = now.turn !== null && now.turn === ownSeat();
  const judged = dared();
  const yours = own && !judged && now.awaiting.some(({ seat }) => seat === now.turn);
  const named = (seat) => ({ seat: table.seats[seat - 1].name });
  const turn = own ? "" : now.turn ? t("play.turn", named(now.turn)) : now.round_winner ? t("play.round-won", named(now.round_winner)) : "";
  const said = judged ? t("play.dare", { seat: judged }) : yours ? t("play.your-turn") : turn;
  return h(
    "section",
    { class: `pile fill-${now.color ?? "wild"}${yours ? " yours" : ""}`, "aria-label": t("play.pile") },
    h("p", { class: `turn ${YOURS.has(bannerNow()?.banner.event) ? "heard" : letters(said)}`, key: `turn-${now.turn}` }, said),
    h("div", { class: "pile-card" }, laid()),
    h(
      "div",
      { class: "pile-side" },
      // While hands are shown neither matters any more.
      now.round_winner ? null : [
        h(
          "p",
          { class: "line color-line", key: `color-${now.color}` },
          now.color
            ? [colorMark(now.color), h("span", {}, word(ruleset, "colors", now.color))]
            : h("span", {}, t("play.no-color")),
        ),
        h("p", { class: "line direction", key: now.direction }, icon(now.direction), h("span", {}, word(ruleset, "directions", now.direction))),
      ],
      h("p", { class: "line quiet-line" }, t("play.draw-pile", { count: now.draw_pile })),
    ),
    stackLine(),
    // What one's own seat owes, its buttons say.
    choices?.waiting && now.awaiting.some(({ seat }) => seat !== ownSeat()) ? h("p", { class: "waiting" }, choices.waiting) : null,
  );
}

/** The names of those on whose dare the others decide just now; null if there is none. */
export function dared() {
  const { seats: all, state: now, notices } = state.table;
  const asked = now.awaiting.some(({ need }) => need === "judge") ? notices.findLast((one) => one.seats.length && !one.until_uno) : null;
  return asked ? asked.seats.map((seat) => all[seat - 1].name).join(", ") : null;
}

/** The card on top, flown in from whoever laid it, on the one that it covers. */
export function laid() {
  const { ruleset, state: now } = state.table;
  if (!now.top) return null;
  const opened = state.entries.findLastIndex(({ kind }) => kind === "round-opened");
  const lays = state.entries.slice(opened + 1).filter((one) => LAYS.includes(one.move?.move) && one.ruling?.verdict === "legal" && !one.undone);
  const last = lays.at(-1);
  const same = last?.move.card === now.top;
  const below = (same ? lays.at(-2) : last)?.move.card;
  return [
    below ? h("div", { class: "card-below", key: "below" }, cardFace(below, { ruleset, label: "" })) : null,
    h("div", { class: `card-laid from-${same ? sideOf(last.move.seat) : "pile"}`, key: `top-${same ? last.id : now.top}` }, cardFace(now.top, { ruleset, text: writtenOn(now.top) })),
  ];
}

// Where at the table, seen from this phone, somebody sits.
function sideOf(seat) {
  const order = seated(state.table).map((one) => one.seat);
  const mine = order.indexOf(ownSeat() ?? order[0]);
  const step = (order.indexOf(seat) - mine + order.length) % order.length;
  if (step === 0) return "me";
  const share = step / order.length;
  return share < 0.4 ? "left" : share > 0.6 ? "right" : "across";
}

// A stack of draw cards: how its sum has grown, and what it stands at.

/** How the sum has grown, `[2, 4, 6]`; nothing where no stack is running. */
function sums() {
  const { stack } = state.table.state;
  const found = [];
  if (!stack) return found;
  for (const { kind, events = [], ruling, undone } of [...state.entries].reverse()) {
    if (kind === "round-opened") break;
    if (kind !== "moved" || undone || ruling?.verdict !== "legal") continue;
    const grown = events.find(({ event }) => event === "stacked");
    if (grown) found.unshift(grown.count);
    // What lies below the stack is no part of it.
    else if (events.some(({ event }) => event === "played" || event === "drew")) break;
  }
  return found.at(-1) === stack ? found : [stack];
}

/** The sums, the last one large; null where no stack is running. */
export function stackLine() {
  const all = sums();
  if (!all.length) return null;
  return h(
    "p",
    { class: "stack-line", key: `stack-${all.at(-1)}` },
    all.flatMap((sum, at) => [at ? h("span", { "aria-hidden": "true" }, "→") : null, at === all.length - 1 ? h("strong", {}, `+${sum}`) : h("span", {}, `+${sum}`)]),
    h("span", { class: "heard" }, t("play.cards", { count: all.at(-1) })),
  );
}

// Everybody at the table: how many cards, whose turn, who has called UNO, who holds what.

/** The seats in their order, and the tray if there is something in it. */
export function seats() {
  const { table } = state;
  const held = Object.entries(table.state.powers);
  const tray = held.filter(([, seat]) => seat === 0);
  return h(
    "section",
    { class: "seats", "aria-label": t("play.seats") },
    h(
      "ul",
      {},
      everybody(table).map((seat) => seatItem(seat, held)),
    ),
    teamTotals(table),
    tray.length
      ? h("p", { class: "tray" }, h("span", { class: "muted" }, t("play.tray")), tray.map(([name]) => powerButton(name)))
      : null,
  );
}

function seatItem({ seat, name, out }, held) {
  const team = teamOf(state.table, seat);
  const now = state.table.state;
  const count = now.hands[seat - 1];
  const due = now.awaiting.some((one) => one.seat === seat);
  return h(
    "li",
    { key: seat, class: `seat${now.turn === seat ? " on-turn" : ""}${due ? " due" : ""}${out ? " out" : ""}${team < 0 ? "" : ` side of-team-${team}`}`, "aria-current": now.turn === seat ? "true" : null },
    h("span", { class: `seat-name ${letters(name)}` }, markOf(state.table, seat), name, ownSeat() === seat ? h("span", { class: "you" }, t("play.you")) : null),
    ring(seat),
    out ? h("span", { class: "tag" }, t("teams.out")) : h(
      "span",
      { class: `count${count === 1 ? " one" : ""}` },
      cardBack(),
      h("span", { "aria-hidden": "true", class: "count-now", key: count }, String(count)),
      h("span", { class: "heard" }, t("play.cards", { count })),
    ),
    h(
      "span",
      { class: "seat-more" },
      now.uno.includes(seat) ? h("strong", { class: "badge-uno" }, "UNO") : null,
      now.open_hands.includes(seat) ? h("span", { class: "tag" }, t("play.open-hand")) : null,
      held.filter(([, holder]) => holder === seat).map(([name]) => powerButton(name)),
    ),
  );
}
