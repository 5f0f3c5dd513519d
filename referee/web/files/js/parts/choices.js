// What a seat does, at the bottom of the screen: the same places for play, draw, UNO and catch at all times,
// and above them whatever else is asked just now.

import { post } from "../api.js";
import { cardBack, cardFace, colorMark, COLORS } from "../cards.js";
import { h, icon } from "../dom.js";
import { actingSeat, hasLeft, isHost, move, ownSeat, standsInFor, tokenFor } from "../session.js";
import { inRound, redraw, seated, state } from "../state.js";
import { t, word, writtenOn } from "../texts.js";
import { bannerNow } from "./banner.js";
import { aheadOf, aheadPanels, layAhead, unoAhead, openDrawn, isJump, jumpButton } from "./ahead.js";
import { askFirst, lastIsCorrection, ownLast, takeBack } from "./corrections.js";
import { closeDialog, openDialog, openForTurn } from "./dialog.js";
import { openHand } from "./hand.js";
import { cardPicker, does, hasIcons, pageButton, powerMark, WILD } from "./picker.js";

// The most pressing first.
const ORDER = "reveal color swap powers respond accept challenge flip".split(" ");
const MAIN = new Set(["reveal", "color", "powers", "judge", "report", "discard"]);
const OWED = new Set([...MAIN, "accept", "challenge", "swap"]);
// These have a place of their own.
const PLACED = new Set(["play", "draw", "pass", "uno", "catch", "jump"]);
const UNTIL = "house.draw-until";
let taken = [];

/** Whether this phone speaks for somebody in a round. */
export const acts = () => Boolean(actingSeat() && inRound(state.table) && !(hasLeft() && !isHost()));

/** Everything that the seat that is spoken for can do; null where nobody is, or no round is played. */
export function actions() {
  const seat = actingSeat();
  if (!acts()) return null;
  // Those of the seat that was spoken for before are not shown for another one.
  const choices = state.choices?.seat === seat ? merged(state.choices.choices) : [];
  const busy = state.waiting.some((one) => one.path === "/moves");
  const playing = state.table.state.turn !== null;
  // Who owes an answer lays no card ahead of it: the answer has the room.
  const owes = choices.some(({ kind }) => OWED.has(kind)) && !choices.some(({ kind }) => kind === "play");
  return h(
    "section",
    { class: "choices", tabindex: "-1", "aria-label": t("play.choices"), "aria-busy": String(busy) },
    seat === ownSeat() ? null : h("p", { class: "stand", key: "stand" }, t("play.acting", { seat: state.table.seats[seat - 1].name })),
    jumping(choices),
    aheadPanels(),
    h("div", { class: "pressing", key: "pressing" }, choices.filter(({ kind }) => !PLACED.has(kind)).map(panelOf)),
    // While hands are shown nobody is on turn: a slip with the last card is taken back all the same.
    playing ? [owes ? null : lay(choices, seat), h("div", { class: "places", key: "places" }, places(choices, seat))] : takeBack(),
  );
}

function jumping(choices) {
  const jump = choices.find(({ kind }) => kind === "jump");
  return jump ? jumpButton(jump) : null;
}

// Laying a card that fits has the widest place. Before its turn a card is only told that lies already: a small
// button, aside, invites nobody to lay one.
function lay(choices, seat) {
  const { ruleset } = state.table;
  if (!choices.some(({ kind }) => kind === "play")) {
    return h("button", { key: "ahead", "data-do": "ahead", class: "quiet already", onclick: () => openPlay({ seat }) }, t("act.ahead"));
  }
  const text = t("act.play");
  if (!hasIcons(ruleset)) {
    return h("button", { key: "lay", "data-do": "play", class: "lay main", onclick: () => openPlay({ seat }) }, text);
  }
  return h(
    "div",
    { class: "lay by-color", key: "lay", role: "group", "aria-labelledby": "lay-by-color" },
    h("span", { id: "lay-by-color" }, text),
    h(
      "div",
      { class: "colors-first" },
      [...COLORS, WILD].map((page) => pageButton(ruleset, page, { "data-do": `play-${page}`, onclick: () => openPlay({ seat, first: page }) })),
    ),
  );
}

function places(choices, seat) {
  const of = (wanted) => choices.find(({ kind }) => kind === wanted);
  const drawing = of("draw") ?? ownPass(of("pass")) ?? { kind: "draw" };
  const mine = ownLast();
  // What the host has just corrected is taken back before what was played.
  const kind = isHost() && lastIsCorrection() ? "redo" : "undo";
  const undo = mine ? "host.take-back" : `host.${kind}`;
  const back = () => askFirst({ kind }, mine ? { seat: ownSeat() } : {});
  return [
    placed(drawing.kind, t(`act.${drawing.kind}`), drawing.moves && draw(drawing)),
    placed("uno", t("act.uno"), sayUno(of("uno"), seat)),
    placed("catch", t("act.catch"), openCatch),
    h(
      "button",
      { key: "take-back", "data-do": "take-back", class: "quiet square", disabled: !mine && !isHost(), "aria-label": t(undo), title: t(undo), onclick: back },
      icon("undo"),
    ),
  ];
}

// Where one goes on until a card fits, the referee hears how many it were; where there is none, the turn passes.
const draw = ({ moves, kind, rule, most }) => () => (rule.id === UNTIL && most ? openDrawn({ seat: moves[0].seat, most }) : move(moves[0], kind));

const placed = (kind, text, onclick) => h("button", { key: kind === "pass" ? "draw" : kind, "data-do": kind, class: kind, disabled: !onclick, onclick }, text);

// A call belongs to the card in line, if there is one; else to what is on the table.
function sayUno(choice, seat) {
  const ahead = aheadOf(seat);
  if (ahead && !ahead.uno && state.table.state.hands[seat - 1] === 2) return () => unoAhead(seat);
  const mine = choice ? [seat] : [];
  // One's own call is one tap; of others it is asked whose.
  const all = mine.includes(ownSeat()) ? mine : [...mine, ...callers(seat)];
  if (!all.length) return null;
  return all.length === 1 && [seat, ownSeat()].includes(all[0]) ? callUno(all[0]) : () => openUno(all);
}

const callUno = (seat) => () => move({ seat, move: "uno" }, "uno");

// Others that this phone plays for, who may have to call with their last card while it is another one's turn.
function callers(acting) {
  const { hands, uno } = state.table.state;
  return state.table.order.filter((seat) => seat !== acting && (seat === ownSeat() || standsInFor(seat)) && hands[seat - 1] === 1 && !uno.includes(seat));
}

/** Which of these seats calls UNO? */
function openUno(seats) {
  openDialog(t("act.uno"), (close) => {
    const call = (seat) => () => (close(), callUno(seat)());
    const named = (seat) => h("button", { class: "wide", key: seat, "data-do": `uno-${seat}`, onclick: call(seat) }, state.table.seats[seat - 1].name);
    return h("div", { class: "stack" }, seats.map(named));
  });
}

// Where nothing but towers or a power is awaited, to pass is to take nothing, which has its button.
function ownPass(choice) {
  const due = state.table.state.awaiting.filter((one) => one.seat === actingSeat());
  return due.length && due.every((one) => one.need === "powers") ? null : choice;
}

/** Who has not called UNO? The others are all named, whoever it is: noticing is for the players. */
function openCatch() {
  // A host accuses as themselves, and who accuses the host is the seat that is spoken for.
  const accuser = (accused) => [ownSeat(), actingSeat()].find((one) => one && one !== accused);
  openDialog(t("play.catch"), (close) => {
    const accuse = (accused) => () => (close(), move({ seat: accuser(accused), move: "catch", accused }, "catch"));
    const others = seated(state.table).filter((one) => accuser(one.seat));
    return h(
      "div",
      { class: "stack" },
      others.map(({ seat, name }) => h("button", { class: "wide", key: seat, "data-do": `catch-${seat}`, onclick: accuse(seat) }, name)),
    );
  });
}

/** The choices with those of one kind put together, in the order of their urgency. */
export function merged(choices) {
  const kinds = new Map();
  for (const choice of choices) {
    // A card out of turn is no play of one's own turn.
    const kind = isJump(choice) ? "jump" : choice.kind;
    const { moves, to, cards, text, rule, count, most } = choice;
    const one = kinds.get(kind) ?? { kind, moves: [], to: [], cards: [], text, rule, count, most, widest: moves.length };
    // The rule that allows the most stands for all of them.
    if (moves.length > one.widest) Object.assign(one, { text, rule, widest: moves.length });
    one.moves.push(...moves);
    one.to.push(...to);
    one.cards.push(...cards);
    kinds.set(kind, one);
  }
  const place = ({ kind }) => (ORDER.includes(kind) ? ORDER.indexOf(kind) : ORDER.length);
  return [...kinds.values()].sort((a, b) => place(a) - place(b));
}

const PANELS = { color: colors, swap, powers, accept, challenge, discard: counts, report, judge };
const OPENERS = { reveal: openReveal, give: openGive, flip: openFlip };

function panelOf(choice) {
  if (PANELS[choice.kind]) return PANELS[choice.kind](choice);
  const onclick = OPENERS[choice.kind]
    ? () => OPENERS[choice.kind](choice)
    : () => move(choice.moves[0], choice.kind);
  return button(choice.kind, t(`act.${choice.kind}`), onclick);
}

function button(kind, text, onclick, key = kind) {
  return h("button", { key, "data-do": key, class: MAIN.has(kind) ? "main" : "", onclick }, text);
}

/**
 * Lay a card: those that fit are bright, the others can be laid as well, for that happens. Before its
 * turn has come it waits in line.
 */
export function openPlay({ seat = actingSeat(), first = null } = {}) {
  const { ruleset, state: now } = state.table;
  const legal = () => {
    const play = state.choices?.seat === seat ? merged(state.choices.choices).find(({ kind }) => kind === "play") : null;
    return play ? new Set(play.moves.map((one) => one.card)) : null;
  };
  const lay = (card, color) => {
    closeDialog();
    move({ seat, move: "play", card, ...(color ? { color } : {}) }, "play");
  };
  const pick = (card, { fits, color }) => {
    if (!legal()) {
      closeDialog();
      layAhead(seat, card, color);
    } else if (fits) lay(card, color);
    else openAgainst({ seat, move: "play", card, ...(color ? { color } : {}) }, () => lay(card, color));
  };
  const picker = cardPicker({ ruleset, legal, first: first ?? now.color, colors: true, pick });
  openForTurn(
    seat,
    () => t(legal() ? "act.play" : "act.ahead"),
    () => picker(),
  );
}

// Why it does not fit says the referee, before anybody says that it was laid.
function openAgainst(body, lay) {
  const { card, seat } = body;
  const { id, ruleset } = state.table;
  let why = null;
  post(`/tables/${id}/moves`, body, { token: tokenFor(seat), query: { preview: true } }).then(
    ({ ruling }) => ((why = ruling.verdict === "illegal" ? ruling.text : null), redraw()),
    // It can be laid all the same.
    () => {},
  );
  openForTurn(seat, t("play.against-title"), (close) => [
    h("div", { class: "centred" }, cardFace(card, { ruleset, text: writtenOn(card) })),
    h("p", { class: "said", role: "status" }, why),
    h("p", {}, t("play.against", { card: word(ruleset, "cards", card) })),
    h(
      "div",
      { class: "sheet-foot" },
      h(
        "div",
        { class: "row" },
        h("button", { "data-do": "lay-anyway", onclick: lay }, t("play.against-yes")),
        h("button", { class: "main", onclick: close }, t("nav.back")),
      ),
    ),
  ]);
}

function openReveal() {
  const seat = actingSeat();
  const { id, round, state: now } = state.table;
  const count = now.hands[seat - 1];
  const show = (what) => move({ seat, move: "reveal", ...what }, "reveal");
  // A hand that is challenged is shown; one that is only counted may be entered by its points.
  const counts = now.round_winner !== null;
  openHand({
    title: t("act.reveal"),
    count,
    atOnce: true,
    keep: [id, round, seat, now.discard_pile, counts].join(" "),
    done: (hand) => show({ hand }),
    counted: counts ? (points) => show({ points }) : null,
    unknown: counts && isHost() ? () => show({ unknown: true }) : null,
  });
}

function openFlip({ moves }) {
  const { ruleset, state: now } = state.table;
  const legal = new Set(moves.map((one) => one.card));
  const pick = (card) => {
    closeDialog();
    move({ move: "flip", card }, "flip");
  };
  const picker = cardPicker({ ruleset, legal: () => legal, first: now.color, pick });
  openDialog(t("act.flip"), () => picker());
}

function openGive({ to, cards }) {
  const seats = state.table.seats;
  openDialog(t("act.give"), () =>
    to.map((one) =>
      h(
        "button",
        { class: "wide", key: one, onclick: () => openGiveTo(one, cards) },
        t("play.give-to", { seat: seats[one - 1].name }),
      ),
    ),
  );
}

function openGiveTo(to, fits) {
  const seat = state.table.seats[to - 1].name;
  openHand({
    title: t("act.give"),
    fits,
    ask: t("play.give-all", { seat }),
    photo: false,
    say: t("play.give-to", { seat }),
    done: (cards) => move({ move: "give", to, cards }, "give"),
  });
}

function colors({ moves }) {
  const { ruleset } = state.table;
  return h(
    "div",
    { class: "group", key: "color", role: "group", "aria-label": t("act.color") },
    h("p", { class: "ask" }, t("act.color")),
    h(
      "div",
      { class: "colors" },
      moves.map((one) =>
        h(
          "button",
          { class: `color fill-${one.color}`, key: one.color, "data-do": `color-${one.color}`, onclick: () => move(one, "color") },
          colorMark(one.color),
          word(ruleset, "colors", one.color),
        ),
      ),
    ),
  );
}

// Everybody else by name, one tap each.
function swap({ moves }) {
  const { seats, state: now } = state.table;
  return h(
    "div",
    { class: "group", key: "swap", role: "group", "aria-label": t("act.swap") },
    h("p", { class: "ask" }, t("act.swap")),
    h(
      "div",
      { class: "swaps" },
      moves.map((one) =>
        h(
          "button",
          { key: one.with, class: "main", "data-do": `swap-${one.with}`, onclick: () => move(one, "swap") },
          h("span", {}, seats[one.with - 1].name),
          h("span", { class: "count" }, cardBack(), h("span", { "aria-hidden": "true" }, String(now.hands[one.with - 1])), h("span", { class: "heard" }, t("play.cards", { count: now.hands[one.with - 1] }))),
        ),
      ),
    ),
  );
}

// Of a stack the sum is drawn; as with any other card, laying one has the main button.
function accept({ moves, count }) {
  const { stack } = state.table.state;
  const onclick = () => move(moves[0], "accept");
  return h("button", { key: "accept", "data-do": "accept", class: stack ? "" : "main", onclick }, stack ? t("act.accept-stack", { count }) : t("act.accept"));
}

function powers({ moves }) {
  const { ruleset } = state.table;
  const names = [...new Set(moves.flatMap((one) => one.powers))];
  const most = Math.max(...moves.map((one) => one.powers.length));
  taken = taken.filter((name) => names.includes(name)).slice(0, most);
  const take = (names) => {
    taken = [];
    move(moves.find((one) => same(one.powers, names)), "powers");
  };
  // The only one that may be taken is taken by one tap.
  const toggle = (name) => {
    if (most === 1) return take([name]);
    const others = taken.filter((one) => one !== name);
    taken = taken.includes(name) ? others : [...others, name].slice(-most);
    redraw();
  };
  return h(
    "div",
    { class: "group", key: "powers", role: "group", "aria-label": t("act.powers") },
    h("p", { class: "ask" }, t("play.take", { count: most })),
    h(
      "div",
      { class: "takes" },
      names.map((name) =>
        h(
          "button",
          { key: name, "data-do": `power-${name}`, "aria-pressed": String(taken.includes(name)), onclick: () => toggle(name) },
          powerMark(name),
          h("span", { class: "power-said" }, h("span", {}, word(ruleset, "powers", name), held(name)), h("small", {}, does(name))),
        ),
      ),
    ),
    h("button", { class: taken.length ? "main" : "quiet", "data-do": "take", onclick: () => take(taken) }, taken.length ? t("play.take-these") : t("play.take-none")),
  );
}

// By whom it would be lost.
function held(name) {
  const holder = state.table.seats[state.table.state.powers[name] - 1];
  return holder ? [" ", h("span", { class: "tag" }, holder.name)] : null;
}

const same = (a, b) => a.length === b.length && a.every((one) => b.includes(one));

// What is at stake stands with the button, unless the banner says so.
function challenge({ moves, text }) {
  const found = bannerNow();
  const said = [found?.banner, found?.news?.banner].some((one) => one?.need === "respond");
  return h(
    "div",
    { class: "stack", key: "challenge" },
    button("challenge", t("act.challenge"), () => move(moves[0], "challenge")),
    said ? null : h("p", { class: "stakes" }, text),
  );
}

function counts({ moves }) {
  // Where there is no choice, the button says what it does.
  const [only] = moves.length === 1 ? moves : [];
  return only
    ? button("discard", t("act.discard-count", { count: only.count }), () => move(only, "discard"), `discard-${only.count}`)
    : numbers("discard", t("act.discard"), moves, (one) => one.count);
}

function report({ moves }) {
  return numbers("report", t("act.report"), moves, (one) => one.drawn);
}

function numbers(kind, text, moves, valueOf) {
  const few = moves.length <= 8;
  const choose = (event) => event.target.value && move(moves[Number(event.target.value)], kind);
  return h(
    "div",
    { class: "group", key: kind, role: "group", "aria-label": text },
    h("p", { class: "ask" }, text),
    few
      ? h("div", { class: "row" }, moves.map((one) => button(kind, String(valueOf(one)), () => move(one, kind), `${kind}-${valueOf(one)}`)))
      : h(
          "select",
          { "aria-label": text, onchange: choose },
          h("option", { value: "" }, "–"),
          moves.map((one, at) => h("option", { value: at }, String(valueOf(one)))),
        ),
  );
}

function judge({ moves }) {
  return h(
    "div",
    { class: "group", key: "judge", role: "group", "aria-label": t("act.judge") },
    h("p", { class: "ask" }, t("act.judge")),
    h(
      "div",
      { class: "row" },
      moves.map((one) => button("judge", t(one.passed ? "play.passed" : "play.failed"), () => move(one, "judge"), `judge-${one.passed}`)),
    ),
  );
}
