// What everybody looks up for: UNO, a round won, a game won. It fills the screen and goes by itself.

import { h } from "../dom.js";
import { COLORS } from "../symbols.js";
import { cardFace, shape } from "../cards.js";
import { svg } from "../dom.js";
import { icon } from "../icons.js";
import { letters } from "../letters.js";
import { state } from "../state.js";
import { style } from "../styles.js";
import { t, writtenOn } from "../texts.js";

const SHOWN_MS = { uno: 1_600, round: 3_200, game: 4_500 };
const PIECES = 28;
let shown = null;
let seen = 0;

/** Show what has just happened, if it is a moment; what happened before one came is none. */
export function moments(here) {
  const news = state.entries.filter((one) => one.id > seen);
  if (!news.length) return;
  const first = seen === 0;
  seen = state.entries.at(-1).id;
  if (!here) return;
  // Nothing has happened yet: there is time.
  style("moment");
  if (first) return;
  const found = news.filter((one) => !one.undone).map(momentOf).filter(Boolean).at(-1);
  if (found) show(found);
}

/** Begin anew at another table. */
export function forgetMoments() {
  seen = 0;
  shown?.remove();
}

function momentOf({ events = [] }) {
  const names = (seats) => seats.map((seat) => state.table.seats[seat - 1].name).join(", ");
  const find = (name) => events.find(({ event }) => event === name);
  const game = find("game-won");
  if (game) return { kind: "game", word: names(game.seats), line: t("moment.game") };
  const round = find("round-won");
  if (round) return { kind: "round", word: names([round.seat]), line: t("moment.round") };
  const uno = find("uno-called") ?? find("uno-kept");
  return uno ? { kind: "uno", word: "UNO!", line: names([uno.seat]) } : null;
}

// The words are read out from the log; this is for eyes. UNO has the colour in force and the one card that is
// left, a round the card that ended it, a game its cup.
function show({ kind, word, line }) {
  shown?.remove();
  const { top, color } = state.table.state;
  const uno = kind === "uno";
  const fall = uno ? [] : Array.from({ length: PIECES }, (_, at) => piece(at));
  const card = uno ? "wild" : kind === "round" ? top : null;
  shown = h(
    "div",
    { class: `moment of-${kind}${uno ? ` fill-${color ?? "wild"}` : ""}`, "aria-hidden": "true" },
    fall,
    h("div", { class: "moment-picture" }, card ? cardFace(card, { label: "", text: writtenOn(card) }) : icon("cup")),
    h("div", { class: "moment-said" }, h("p", { class: `moment-word ${letters(word)}` }, word), h("p", { class: `moment-line ${letters(line)}` }, line)),
  );
  const mine = shown;
  document.body.append(mine);
  setTimeout(() => mine.remove(), SHOWN_MS[kind]);
}

// Shapes of the four colours, strewn evenly by the golden ratio.
function piece(at) {
  const color = COLORS[at % COLORS.length];
  const element = svg("svg", { viewBox: "0 0 20 20", class: `piece fill-${color}` }, shape(color));
  const place = (at * 0.618) % 1;
  element.style.setProperty("--x", `${(place * 100).toFixed(1)}%`);
  element.style.setProperty("--y", `${((at * 37) % 100) - 4}vh`);
  element.style.setProperty("--wait", `${((at * 0.37) % 1).toFixed(2)}s`);
  element.style.setProperty("--turn", `${(at * 137) % 360}deg`);
  return element;
}
