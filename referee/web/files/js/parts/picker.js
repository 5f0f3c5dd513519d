// Picking cards that the deck has: a colour, then what stands on the card, then its icon if it has one.

import { cardFace, colorMark, parts } from "../cards.js";
import { h } from "../dom.js";
import { redraw } from "../state.js";
import { COLORS } from "../symbols.js";
import { idsOf, t, word } from "../texts.js";

/** A deck's faces by colour, "wild" for those without: `[{face, icons}]`. */
export function facesOf(ruleset) {
  const found = Object.fromEntries([...COLORS, "wild"].map((color) => [color, new Map()]));
  for (const card of idsOf(ruleset, "cards")) {
    const { color, icon } = parts(card);
    const face = card.split(":")[0];
    const faces = found[color ?? "wild"];
    if (!faces.has(face)) faces.set(face, []);
    if (icon) faces.get(face).push(icon);
  }
  return Object.fromEntries(
    Object.entries(found).map(([color, faces]) => [
      color,
      Array.from(faces, ([face, icons]) => ({ face, icons })),
    ]),
  );
}

/**
 * A picker: `pick(card)` is called with a card id. Of `legal`, a set of ids, the others are shown
 * faintly; null if all are alike. Its own state lives as long as what it is called with.
 */
export function cardPicker({ ruleset, legal = null, first = null, pick }) {
  let color = first ?? COLORS[0];
  let icon = null;
  const faces = facesOf(ruleset);
  const choose = (patch) => {
    ({ color, icon } = { color, icon, ...patch });
    redraw();
  };
  const idOf = ({ face, icons }) => (icon && icons.includes(icon) ? `${face}:${icon}` : face);
  return () => {
    const icons = [...new Set(faces[color].flatMap((one) => one.icons))];
    return h(
      "div",
      { class: "picker" },
      h("div", { class: "tabs", role: "group", "aria-label": t("picker.color") }, tabs(ruleset, color, choose)),
      icons.length ? h("div", { class: "tabs small", role: "group", "aria-label": t("picker.icon") }, iconTabs(icons)) : null,
      h("div", { class: "faces" }, faces[color].map(faceButton)),
    );
  };

  function iconTabs(icons) {
    return [null, ...icons].map((one) =>
      h(
        "button",
        { "aria-pressed": String(icon === one), "data-icon": one ?? "none", onclick: () => choose({ icon: one }) },
        one ?? t("picker.no-icon"),
      ),
    );
  }

  function faceButton(face) {
    const card = idOf(face);
    const fits = !legal || legal.has(card);
    return h(
      "button",
      {
        class: `face${fits ? "" : " faint"}`,
        key: card,
        "aria-label": fits ? word(ruleset, "cards", card) : t("picker.against", { card: word(ruleset, "cards", card) }),
        onclick: () => pick(card, fits),
      },
      cardFace(card, { ruleset, label: "", small: true }),
    );
  }
}

function tabs(ruleset, chosen, choose) {
  return [...COLORS, "wild"].map((color) =>
    h(
      "button",
      {
        class: `tab-${color}`,
        key: color,
        "aria-pressed": String(color === chosen),
        "aria-label": color === "wild" ? t("picker.wild") : word(ruleset, "colors", color),
        onclick: () => choose({ color, icon: null }),
      },
      color === "wild" ? t("picker.wild") : colorMark(color),
    ),
  );
}
