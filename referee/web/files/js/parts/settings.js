// Language, sounds and vibration of this phone.

import { awakeBy } from "../awake.js";
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { scheme, setScheme, setSize, size } from "../look.js";
import { readAnew } from "../session.js";
import { isOn, turn } from "../signals.js";
import { notify, redraw, state } from "../state.js";
import { language, speak, t } from "../texts.js";
import { canSpeak, isSpeaking, setSpeaking, voice } from "../voice.js";
import { openDialog } from "./dialog.js";
import { openKeys } from "./eyesfree.js";
import { checkField, pickField, selectField } from "./fields.js";
import { later } from "./later.js";
import { mySeat } from "./mine.js";
import { timerSetting } from "./timer.js";
import { trustLink } from "./trustlink.js";

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
      looks(),
      checkField(t("settings.sound"), isOn("sound"), toggle("sound")),
      checkField(t("settings.vibration"), isOn("vibration"), toggle("vibration")),
      speaking(),
      awake(),
      timerSetting(),
      h("hr", {}),
      mySeat(),
      state.table ? (phones()?.askForCamera() ?? null) : null,
      state.table ? h("a", { class: "button wide", href: `/wall/${state.table.id}`, "data-do": "wall" }, icon("screen"), t("wall.open")) : null,
      h("a", { class: "button wide", href: "/" }, t("settings.home")),
      state.table ? h("p", { class: "small muted" }, t("settings.table", { code: state.table.code })) : null,
    ],
  );
}
