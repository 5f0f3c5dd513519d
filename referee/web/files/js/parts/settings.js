// Language, sounds and vibration of this phone.

import { h } from "../dom.js";
import { icon } from "../icons.js";
import { readAnew } from "../session.js";
import { isOn, turn } from "../signals.js";
import { notify, redraw, state } from "../state.js";
import { language, speak, t } from "../texts.js";
import { openDialog } from "./dialog.js";
import { checkField, selectField } from "./fields.js";
import { mySeat } from "./mine.js";

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
      checkField(t("settings.sound"), isOn("sound"), toggle("sound")),
      checkField(t("settings.vibration"), isOn("vibration"), toggle("vibration")),
      h("hr", {}),
      mySeat(),
      state.table ? h("a", { class: "button wide", href: `/wall/${state.table.id}`, "data-do": "wall" }, icon("screen"), t("wall.open")) : null,
      h("a", { class: "button wide", href: "/" }, t("settings.home")),
      state.table ? h("p", { class: "small muted" }, t("settings.table", { code: state.table.code })) : null,
    ],
  );
}
