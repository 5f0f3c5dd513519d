// House rules as a short code, and as a link that opens the setup with them: `S2J1H5` is stacking with any card,
// jumping in, and five cards each. Each rule's letter and values come from the server.

import { h } from "../dom.js";
import { icon } from "../icons.js";
import { openDialog } from "../parts/dialog.js";
import { textField } from "../parts/fields.js";
import { reachable } from "../parts/invite.js";
import { t } from "../texts.js";

const OFFICIAL = "official";
const PART = /([A-Z])(\d{1,7})/g;

/** The code of options. */
export function codeOf(deck, options) {
  const parts = deck.house_rules
    .filter(({ option, letter }) => letter && options[option] !== undefined && options[option] !== null)
    .map(({ option, letter, values }) => `${letter}${values.length ? values.findIndex(({ value }) => value === options[option]) : options[option]}`);
  return parts.sort().join("") || OFFICIAL;
}

/** The options of a code, or of a ready-made set; null if it is none. What the deck has not is left out. */
export function optionsOf(deck, said) {
  const ready = deck.presets.find(({ preset }) => preset === said.trim().toLowerCase());
  if (ready) return { ...ready.options };
  const code = said.replace(/[\s-]/g, "").toUpperCase();
  if (!/^([A-Z]\d{1,7})+$/.test(code)) return null;
  const found = {};
  for (const [, letter, number] of code.matchAll(PART)) {
    const rule = deck.house_rules.find((one) => one.letter === letter);
    if (!rule) continue;
    const value = rule.values.length ? rule.values[Number(number)]?.value : counted(rule, Number(number));
    if (value === undefined) return null;
    found[rule.option] = value;
  }
  return found;
}

const counted = ({ least, most }, number) => (least <= number && number <= most ? number : undefined);

/** Show code and link. */
export function openShare(code, ruleset) {
  const link = `${(reachable() ?? location.origin).replace(/\/$/, "")}/new?${new URLSearchParams({ house: code, deck: ruleset })}`;
  const select = (event) => event.target.select();
  const send = () => navigator.share({ url: link, title: t("setup.house") }).catch(() => {});
  openDialog(t("house.share"), () =>
    h(
      "div",
      { class: "stack" },
      h("p", {}, t("house.share-hint")),
      h("p", { class: "code centred", "data-do": "house-code" }, code),
      textField(t("club.address"), { id: "house-link", readonly: true, value: link, onclick: select }),
      navigator.share ? h("button", { class: "main wide", "data-do": "send-house", onclick: send }, icon("share"), t("house.share")) : null,
    ),
  );
}
