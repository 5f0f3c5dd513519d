// What is set on this phone, and playing with eyes closed.

import { h, icon } from "../dom.js";
import { again, answer, awakeBy, canSpeak, isOn, isSpeaking, scheme, setScheme, setSize, setSpeaking, size, turn, voice } from "../phone.js";
import { ownSeat, readAnew } from "../session.js";
import { inRound, notify, redraw, seated, state } from "../state.js";
import { labelled, language, speak, t, word } from "../texts.js";
import { checkField, later, openDialog, pickField, selectField } from "./dialog.js";
import { mySeat } from "./mine.js";
import { timerSetting } from "./timer.js";

// Language, sounds and vibration of this phone.

const phones = later(() => import("./cameraphone.js"));
let all = [];

/** The languages to choose from, `[{id, name}]`. */
export function offer(languages) {
  all = languages;
}

/** The choice of a language; everything is read anew in it. */
export function languageField(id = "language") {
  const options = all.map((one) => [one.id, one.name]);
  return selectField(t("settings.language"), options, language(), choose, id);
}

async function choose(wanted) {
  try {
    await speak(wanted);
    redraw();
    await readAnew();
  } catch {
    notify(t("link.lost"));
  }
}

// Light or dark, and how large.
function looks() {
  const change = (set) => (wanted) => {
    set(wanted);
    redraw();
  };
  const schemes = ["system", "light", "dark"].map((one) => [one, t(`settings.${one}`)]);
  const sizes = [100, 125, 150, 200].map((one) => [String(one), `${one} %`]);
  return [
    pickField(t("settings.scheme"), schemes, scheme(), change(setScheme), "scheme"),
    pickField(t("settings.size"), sizes, String(size()), change((wanted) => setSize(Number(wanted))), "size"),
  ];
}

// The referee's voice, and what cannot be promised about it.
function speaking() {
  if (!canSpeak()) return h("p", { class: "small muted" }, t("voice.never"));
  const change = (on) => {
    setSpeaking(on);
    redraw();
  };
  return [
    checkField(t("voice.speak"), isSpeaking(), change, { "data-do": "speak" }),
    voice() === null ? h("p", { class: "warn", "data-do": "no-voice" }, t("voice.missing")) : null,
    h("button", { class: "wide", "data-do": "keys", onclick: openKeys }, t("voice.keys")),
  ];
}

// Whether the screen stays on is the browser's to say.
function awake() {
  if (!state.table) return null;
  const by = { lock: "voice.awake", film: "voice.awake-film" }[awakeBy()] ?? "voice.awake-no";
  return [h("p", { class: "small muted", "data-do": "awake" }, t(by)), isSecureContext ? null : trustLink()];
}

/** The sheet with the settings. */
export function openSettings() {
  const toggle = (kind) => (on) => {
    turn(kind, on);
    redraw();
  };
  openDialog(
    () => t("nav.settings"),
    () => [
      languageField("sheet-language"),
      mySeat(),
      state.table ? (phones()?.askForCamera() ?? null) : null,
      state.table ? h("a", { class: "button wide", href: `/wall/${state.table.id}`, "data-do": "wall" }, icon("screen"), t("wall.open")) : null,
      h("hr", {}),
      looks(),
      checkField(t("settings.sound"), isOn("sound"), toggle("sound")),
      checkField(t("settings.vibration"), isOn("vibration"), toggle("vibration")),
      speaking(),
      awake(),
      timerSetting(),
      h("hr", {}),
      h("a", { class: "button wide", href: "/" }, t("settings.home")),
      state.table ? h("p", { class: "small muted" }, t("settings.table", { code: state.table.code })) : null,
    ],
  );
}

// Playing with eyes closed, while the voice is on: a key or a long press for everything, and all of it is said.

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
function openKeys() {
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
    now.color ? word(ruleset, "colors", now.color) : now.round_winner ? null : t("play.no-color"),
    now.top ? word(ruleset, "cards", now.top) : null,
    mine ? labelled(t("play.you"), t("play.cards", { count: now.hands[mine - 1] })) : null,
  ];
}

const counts = () =>
  seated(state.table).map(({ seat, name }) => {
    const who = seat === ownSeat() ? t("play.you") : name;
    return labelled(who, t("play.cards", { count: state.table.state.hands[seat - 1] }));
  });

const scores = () => [t("play.scores"), ...seated(state.table).map(({ seat, name }) => labelled(name, state.table.state.scores[seat - 1]))];

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

// A link to what a phone does to get a protected connection.

/** For where something is missing for lack of one. Loaded anew: that page may try the protected address. */
export const trustLink = (looks = null) => h("a", { class: looks, href: "/trust", target: "_self", "data-do": "trust" }, t("nav.trust"));
