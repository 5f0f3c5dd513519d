// Picking a card, a tower or a power.

import { get } from "../api.js";
import { cardFace, colorMark, COLORS, drawn, lettered, parts, plain, shape } from "../cards.js";
import { h, svg } from "../dom.js";
import { speakFor, standsInFor } from "../session.js";
import { redraw, state } from "../state.js";
import { idsOf, isBlank, labelled, sentences, t, word, writtenOn } from "../texts.js";
import { openDialog } from "./dialog.js";

// Picking cards that the deck has. All colours are in view at once, and each face keeps its place, so that
// nothing moves under the finger. Where cards carry icons, each with each is too much for a small screen:
// there a colour comes first, and all its cards, icons included, are in view.

/** The page of the picker with the cards that have no colour. */
export const WILD = "wild";
const PAGES = [...COLORS, WILD];

/** Whether a deck's number cards carry icons, so that a colour comes before the card. */
export const hasIcons = (ruleset) => idsOf(ruleset, "cards").some((card) => card.includes(":"));

/** A deck's faces by colour, "wild" for those without: `[{face, icons}]`; `all`: those that this game lacks, too. */
function facesOf(ruleset, all) {
  const found = Object.fromEntries(PAGES.map((page) => [page, new Map()]));
  for (const card of idsOf(ruleset, "cards").filter((one) => all || !isBlank(one))) {
    const { color, icon } = parts(card);
    const face = card.split(":")[0];
    const faces = found[color ?? WILD];
    if (!faces.has(face)) faces.set(face, []);
    if (icon) faces.get(face).push(icon);
  }
  return Object.fromEntries(
    Object.entries(found).map(([page, faces]) => [page, Array.from(faces, ([face, icons]) => ({ face, icons }))]),
  );
}

/**
 * A picker: `pick(card, {fits, color})` is called with a card id. `legal()` is the set of ids that fit, the
 * others are shown faintly; null if all are alike. `colors`: a wild is split into its four colours, and
 * the one that was tapped is told. `first`: the colour to begin with, where one comes first. `all`: blank cards as well
 * on which the table has written nothing.
 */
export function cardPicker({ ruleset, legal = () => null, first = null, colors = false, all = false, pick }) {
  const faces = facesOf(ruleset, all);
  const paged = hasIcons(ruleset);
  let page = first ?? COLORS[0];
  const turn = (to) => ((page = to), redraw());
  return () => {
    const fitting = legal();
    const fits = (card) => !fitting || fitting.has(card);
    const shown = h(
      "div",
      { class: `picker${paged ? " paged" : ""}` },
      paged ? tabs(ruleset, page, turn) : null,
      COLORS.map((color) => panel(color, faces[color].flatMap(variants).map((card) => cell(card, fits(card))))),
      panel(WILD, faces[WILD].map(({ face }) => (colors ? split(face, fits(face)) : cell(face, fits(face))))),
    );
    return [shown, legend(faces[WILD])];
  };

  // On a card as small as here its text cannot be read.
  function legend(wilds) {
    const own = wilds.filter(({ face }) => writtenOn(face));
    return own.length ? h("ul", { class: "small", key: "own-texts" }, own.map(({ face }) => h("li", {}, `✎${face.match(/\d+$/)} ${writtenOn(face)}`))) : null;
  }

  function panel(color, cells) {
    const name = color === WILD ? t("picker.wild") : word(ruleset, "colors", color);
    const state = paged && color !== page ? " aside" : "";
    return h(
      "div",
      { class: `of-color of-${color}${colors && color === WILD ? " splits" : ""}${state}`, key: color, role: "group", "aria-label": name },
      color === WILD || paged ? null : h("span", { class: "legend" }, colorMark(color)),
      cells,
    );
  }

  function cell(card, fits) {
    const { color } = parts(card);
    const name = word(ruleset, "cards", card);
    return h(
      "button",
      { class: `cell ${color ? `fill-${color}` : "of-none"}${fits ? "" : " faint"}`, key: card, "aria-label": fits ? name : t("picker.against", { card: name }), onclick: () => pick(card, { fits, color: null }) },
      color ? tile(card) : cardFace(card, { ruleset, label: "", small: true }),
      color ? svg("svg", { viewBox: "0 0 20 20", class: "cell-mark", "aria-hidden": "true" }, shape(color)) : null,
    );
  }

  // A wild whose four corners are the colours that it can be laid for.
  function split(card, fits) {
    const name = fits ? word(ruleset, "cards", card) : t("picker.against", { card: word(ruleset, "cards", card) });
    return h(
      "div",
      { class: `split${fits ? "" : " faint"}`, key: card, role: "group", "aria-label": name },
      COLORS.map((color) =>
        h(
          "button",
          { class: `corner fill-${color}`, key: color, "data-do": `in-${color}`, "aria-label": `${name}, ${word(ruleset, "colors", color)}`, onclick: () => pick(card, { fits, color }) },
          colorMark(color),
        ),
      ),
      h("span", { class: "split-face", key: "face" }, cardFace(card, { ruleset, label: "", small: true })),
    );
  }
}

const variants = ({ face, icons }) => [face, ...icons.map((icon) => `${face}:${icon}`)];

// What tells a card from others of its colour: its symbol, and its icon.
function tile(card) {
  const { symbol, icon } = parts(card);
  const picture = drawn(symbol);
  const text = plain(symbol);
  return svg(
    "svg",
    { viewBox: "0 0 60 60", class: "tile", "aria-hidden": "true" },
    picture
      ? svg("g", { class: "card-ink card-stroke", transform: icon ? "translate(4 10) scale(.7)" : "translate(9 9) scale(.7)" }, picture)
      : lettered(text, { x: icon ? 22 : 31, y: 29, height: text.length > 1 ? 30 : 38 }),
    ["6", "9"].includes(text) ? svg("rect", { x: icon ? 12 : 21, y: 52, width: 20, height: 4, rx: 2, class: "card-ink" }) : null,
    icon
      ? svg("g", { transform: "translate(46 30)" }, svg("circle", { r: 12, class: "badge" }), svg("text", { y: 6.5, class: "badge-letter" }, icon))
      : null,
  );
}

function tabs(ruleset, chosen, turn) {
  return h(
    "div",
    { class: "tabs", key: "tabs", role: "group", "aria-label": t("picker.color") },
    PAGES.map((page) => pageButton(ruleset, page, { "aria-pressed": String(page === chosen), class: `tab-${page}`, onclick: () => turn(page) })),
  );
}

/** A button for a page of the picker: a colour, or the cards without one. */
export function pageButton(ruleset, page, props) {
  const wild = page === WILD;
  return h(
    "button",
    { key: page, "aria-label": wild ? t("picker.wild") : word(ruleset, "colors", page), ...props },
    wild ? wildMark() : colorMark(page),
  );
}

const wildMark = () =>
  svg(
    "svg",
    { viewBox: "0 0 20 20", class: "mark", "aria-hidden": "true" },
    svg("g", {}, COLORS.map((color, at) => svg("rect", { x: (at % 2) * 10, y: at < 2 ? 0 : 10, width: 10, height: 10, class: `paint-${color}` }))),
  );

// Towers and power stands: a mark for each, and what it does.

const ANSWER = 2;

/** The mark of a tower (its icon, in its colour) or of a colour's power. */
export function powerMark(name) {
  if (COLORS.includes(name)) return colorMark(name);
  const color = word(state.table?.ruleset, "power_colors", name);
  return svg(
    "svg",
    { viewBox: "0 0 20 20", class: `mark tower${COLORS.includes(color) ? ` fill-${color}` : ""}`, "aria-hidden": "true" },
    svg("path", { d: "M4 19V7H2V2h3v2h3V2h4v2h3V2h3v5h-2v12Z" }),
    svg("text", { x: 10, y: 16, class: "mark-letter" }, name),
  );
}

/** What a power does, as its holder is told. */
export const does = (name) => word(state.table.ruleset, "power_texts", name);

/** A power as a button that tells what it does. */
export function powerButton(name) {
  const said = word(state.table.ruleset, "powers", name);
  return h("button", { class: "power", key: name, "aria-label": t("power.about", { power: said }), "data-do": `about-${name}`, onclick: () => openPower(name) }, powerMark(name));
}

function openPower(name) {
  const { ruleset } = state.table;
  let rule = null;
  let trouble = null;
  get(`/rulesets/${ruleset}/rules/${encodeURIComponent(word(ruleset, "power_rules", name))}`).then(
    (found) => ((rule = found), redraw()),
    () => ((trouble = t("link.lost")), redraw()),
  );
  const holder = state.table.state.powers[name];
  openDialog(word(ruleset, "powers", name), (close) => [
    h("p", { class: "power-head" }, powerMark(name), h("strong", {}, does(name))),
    rule ? [h("p", {}, sentences(rule.text, ANSWER)), h("p", { class: "source" }, t("play.source", { source: rule.sheet }))] : null,
    trouble ? h("p", { class: "warn" }, trouble) : null,
    // What it allows at any time, this phone does for its holder.
    holder && standsInFor(holder)
      ? h("button", { class: "main", "data-do": `speak-for-${holder}`, onclick: () => (close(), speakFor(holder)) }, labelled(t("play.speak-for"), state.table.seats[holder - 1].name))
      : null,
  ]);
}
