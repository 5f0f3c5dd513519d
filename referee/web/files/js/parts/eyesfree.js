// Playing with eyes closed, while the voice is on: a key or a long press for everything, and all of it is said.

import { h } from "../dom.js";
import { ownSeat } from "../session.js";
import { inRound, seated, state } from "../state.js";
import { t, word } from "../texts.js";
import { again, answer, isSpeaking, setSpeaking } from "../voice.js";
import { openDialog } from "./dialog.js";

const LONG_MS = 550;
const PRESSED = "button, a[href], label, summary, input, select";

// A key → what it does: a button of the screen, or something to say.
const KEYS = {
  p: { label: "act.play", press: "play" },
  j: { label: "act.jump", press: "jump" },
  d: { label: "act.draw", press: "draw" },
  k: { label: "act.pass", press: "pass" },
  u: { label: "act.uno", press: "uno" },
  c: { label: "act.catch", press: "catch" },
  a: { label: "act.accept", press: "accept" },
  x: { label: "act.challenge", press: "challenge" },
  h: { label: "act.reveal", press: "reveal" },
  z: { label: "host.take-back", press: "take-back" },
  r: { label: "voice.repeat", say: again },
  t: { label: "voice.stand", say: () => answer(...stand()) },
  n: { label: "voice.counts", say: () => answer(...counts()) },
  s: { label: "voice.scores", say: () => answer(...scores()) },
  "?": { label: "voice.help", say: openKeys },
};

/** What the keys and long presses do. */
export function openKeys() {
  openDialog(t("voice.keys"), () => [
    h("p", {}, t("voice.hint")),
    h(
      "dl",
      { class: "keys" },
      Object.entries(KEYS).map(([key, { label }]) => h("div", {}, h("dt", {}, h("kbd", {}, key.toUpperCase())), h("dd", {}, t(label)))),
    ),
  ]);
}

const nameOf = (seat) => state.table.seats[seat - 1].name;

/** How the game stands: whose turn, colour, card on top, one's own cards. */
function stand() {
  const { ruleset, state: now, round } = state.table;
  if (!round || !inRound(state.table)) return scores();
  const mine = ownSeat();
  const due = now.awaiting.some(({ seat }) => seat === mine);
  const turn = now.turn === mine && due ? t("play.your-turn") : now.turn && now.turn !== mine ? t("play.turn", { seat: nameOf(now.turn) }) : state.choices?.waiting;
  return [
    turn,
    now.color ? word(ruleset, "colors", now.color) : t("play.no-color"),
    now.top ? word(ruleset, "cards", now.top) : null,
    mine ? `${t("play.you")}: ${t("play.cards", { count: now.hands[mine - 1] })}` : null,
  ];
}

const counts = () =>
  seated(state.table).map(({ seat, name }) => {
    const who = seat === ownSeat() ? t("play.you") : name;
    return `${who}: ${t("play.cards", { count: state.table.state.hands[seat - 1] })}`;
  });

const scores = () => [t("play.scores"), ...seated(state.table).map(({ seat, name }) => `${name}: ${state.table.state.scores[seat - 1]}`)];

/** What something on the screen is called, and whether it can be used. */
function named(element) {
  const from = element.getAttribute("aria-label") ?? (element.labels?.[0] ?? element).innerText ?? "";
  const text = from.trim() || element.getAttribute("title") || "";
  return element.disabled ? [text, t("voice.cannot")] : [text];
}

// A TV has no settings: there one key switches the voice.
function atTheWall({ key }) {
  if (key.toLowerCase() !== "v" || !location.pathname.startsWith("/wall/")) return false;
  setSpeaking(!isSpeaking());
  return true;
}

function pressed(event) {
  if (atTheWall(event)) return;
  if (!isSpeaking() || !state.table || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.target.closest?.("input:not([type=checkbox]):not([type=radio]), select, textarea")) return;
  const found = KEYS[event.key.toLowerCase()];
  if (!found) return;
  event.preventDefault();
  if (found.say) return found.say();
  // The first of them: where cards are laid by colour, that is the first colour.
  const button = document.querySelector(`[data-do="${found.press}"]:enabled, [data-do^="${found.press}-"]:enabled`);
  if (!button) return answer(t(found.label), t("voice.cannot"));
  button.click();
}

// What has the focus is said, so that the tab key reads a sheet.
function focused({ target }) {
  if (isSpeaking() && target.matches(PRESSED) && target.matches(":focus-visible")) answer(...named(target));
}

let timer = 0;
let held = false;

function down(event) {
  held = false;
  clearTimeout(timer);
  if (!isSpeaking() || !state.table || event.button) return;
  const touched = event.target.closest?.(`${PRESSED}, .card`);
  timer = setTimeout(() => {
    held = true;
    answer(...(touched ? named(touched) : stand()));
  }, LONG_MS);
}

// What was only asked about is not pressed.
function clicked(event) {
  if (!held) return;
  held = false;
  event.preventDefault();
  event.stopPropagation();
}

const up = () => clearTimeout(timer);

/** Listen for keys and long presses. */
export function listen() {
  addEventListener("keydown", pressed);
  addEventListener("focusin", focused);
  addEventListener("pointerdown", down);
  for (const name of ["pointerup", "pointercancel", "scroll"]) addEventListener(name, up, true);
  addEventListener("click", clicked, true);
  addEventListener("contextmenu", (event) => held && event.preventDefault());
}
