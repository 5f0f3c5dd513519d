// The table on a TV: everything large, nothing to press. A tap or Escape leads back to the table.

import { post, Problem } from "../api.js";
import { cardBack, cardFace, colorMark } from "../cards.js";
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { keepPlace } from "../kept.js";
import { textField } from "../parts/fields.js";
import { reachable } from "../parts/invite.js";
import { powerMark } from "../parts/powers.js";
import { wonBy } from "../parts/scoreline.js";
import { classOf, isIllegal, isTold, wordsOf } from "../parts/rulings.js";
import { languageField } from "../parts/settings.js";
import { go } from "../router.js";
import { inRound, notify, seated, state } from "../state.js";
import { t, word } from "../texts.js";

const SAID = 3;
const HERE = /^\/wall\/([^/]+)$/;
let awake = null;

addEventListener("keydown", (event) => {
  const found = HERE.exec(location.pathname);
  if (found && event.key === "Escape") go(`/t/${found[1]}`);
});

/** Where a TV joins: the code, and nothing else to choose but the language. */
export const wallDoor = {
  path: "/wall",
  title: () => t("wall.title"),
  back: () => "/",
  render: () => [
    h(
      "form",
      { class: "stack", onsubmit: enterCode },
      h("p", {}, t("join.lead")),
      textField(t("join.code"), { id: "code", name: "code", required: true, autocomplete: "off", autocapitalize: "characters", spellcheck: "false", maxlength: 24, class: "code-field" }),
      h("button", { class: "main wide", "data-do": "look" }, t("join.look")),
    ),
    languageField(),
  ],
};

async function enterCode(event) {
  event.preventDefault();
  const code = new FormData(event.target).get("code");
  try {
    const { table_id: table, token } = await post("/join", { code });
    keepPlace(table, { watch: token });
    go(`/wall/${table}`, { replace: true });
  } catch (error) {
    notify(error instanceof Problem ? error.message : t("link.lost"));
  }
}

/** The table, large. */
export const wall = {
  path: "/wall/:table",
  needsTable: true,
  bare: true,
  title: () => t("wall.title"),
  enter: stayAwake,
  render: ({ table }) => {
    const { round } = state.table;
    const over = !inRound(state.table);
    const middle = !round ? [lobby(), seats(false)] : over ? [result(), standings()] : [pile(), seats(true)];
    return h(
      "main",
      { class: "wall", id: "main", tabindex: "-1", onclick: () => go(`/t/${table}`) },
      h("h1", { class: "heard" }, t("wall.title")),
      link(),
      middle,
      round ? said() : null,
    );
  },
};

// A TV that goes dark in the middle of a round is no use; where that cannot be helped it does.
async function stayAwake() {
  if (awake && !awake.released) return;
  awake = await navigator.wakeLock?.request("screen").catch(() => null);
}

const link = () =>
  state.link === "live" ? null : h("p", { class: "wall-link", role: "status" }, icon("offline"), t(state.link === "over" ? "link.over" : "link.lost"));

function lobby() {
  const { code, invitation } = state.table;
  const written = code.replace(/(.{4})(?=.)/g, "$1 ");
  const address = (reachable() ?? location.origin).replace(/^https?:\/\/|\/$/g, "");
  return h(
    "section",
    { class: "wall-middle invite" },
    h("img", { class: "qr", src: `/join.svg?code=${invitation}`, alt: t("invite.picture", { code: written }), width: 220, height: 220 }),
    h("p", { class: "code" }, written),
    h("p", {}, t("invite.hint", { address })),
  );
}

// A long word gets smaller letters, and is not broken.
const LENGTHS = [[6, ""], [8, "of-8"], [10, "of-10"], [13, "of-13"], [Infinity, "of-20"]];

function lengthOf(name) {
  const most = Math.max(...name.split(/[\s-]/).map((word) => word.length));
  return LENGTHS.find(([limit]) => most <= limit)[1];
}

function pile() {
  const { ruleset, seats: all, state: now } = state.table;
  const name = now.turn ? all[now.turn - 1].name : "";
  return h(
    "section",
    { class: "wall-middle", "aria-label": t("play.pile") },
    h("div", { class: "wall-card" }, now.top ? cardFace(now.top, { ruleset }) : null),
    h(
      "div",
      { class: "wall-now" },
      h("p", { class: `wall-turn ${lengthOf(name)}` }, name),
      h(
        "p",
        { class: "line" },
        now.color ? [colorMark(now.color), h("span", {}, word(ruleset, "colors", now.color))] : h("span", {}, t("play.no-color")),
      ),
      h("p", { class: "line" }, icon(now.direction), h("span", {}, word(ruleset, "directions", now.direction))),
      h("p", { class: "wall-waiting" }, state.choices?.waiting ?? ""),
    ),
  );
}

function result() {
  const { seats: all, state: now } = state.table;
  const won = [now.winner ?? []].flat().map((seat) => all[seat - 1].name);
  const first = now.round_winner ? t("play.round-won", { seat: all[now.round_winner - 1].name }) : t("play.scores");
  return h("section", { class: "wall-middle" }, h("p", { class: "wall-turn" }, won.length ? wonBy(won) : first));
}

function standings() {
  const { seats: all, state: now, options } = state.table;
  const low = options.scoring === "low";
  const sorted = [...all].sort((a, b) => (low ? 1 : -1) * (now.scores[a.seat - 1] - now.scores[b.seat - 1]));
  return h(
    "ol",
    { class: "wall-seats standings", "aria-label": t("play.scores") },
    sorted.map(({ seat, name }) =>
      h("li", { key: `score-${seat}`, class: "wall-seat" }, h("span", { class: "seat-name" }, name), h("strong", { class: "wall-count" }, String(now.scores[seat - 1]))),
    ),
  );
}

// Everybody, with cards and points; before the first round, who is there.
function seats(playing) {
  const all = seated(state.table);
  return h(
    "section",
    { class: "wall-side" },
    h(
      "ul",
      { class: `wall-seats${all.length > 6 ? " many" : ""}`, "aria-label": t("play.seats") },
      all.map((one) => (playing ? player(one) : guest(one))),
    ),
    playing ? tray() : null,
  );
}

// Towers or power stands that nobody holds.
function tray() {
  const free = heldBy(0);
  return free.length ? h("p", { class: "wall-marks wall-tray" }, h("span", {}, t("play.tray")), free.map(power)) : null;
}

const heldBy = (seat) => Object.entries(state.table.state.powers).flatMap(([name, holder]) => (holder === seat ? [name] : []));

function power(name) {
  return h("span", { key: name }, powerMark(name), h("span", { class: "heard" }, word(state.table.ruleset, "powers", name)));
}

function player({ seat, name }) {
  const now = state.table.state;
  const count = now.hands[seat - 1];
  const turn = now.turn === seat;
  return h(
    "li",
    { key: seat, class: `wall-seat${turn ? " on-turn" : ""}`, "aria-current": turn ? "true" : null },
    h("div", { class: "wall-who" }, h("span", { class: "seat-name" }, name), h("span", { class: "wall-points" }, t("wall.points", { count: now.scores[seat - 1] }))),
    h(
      "span",
      { class: "wall-marks" },
      now.uno.includes(seat) ? h("strong", { class: "badge-uno" }, "UNO") : null,
      heldBy(seat).map(power),
    ),
    h(
      "strong",
      { class: `wall-count${count === 1 ? " one" : ""}` },
      cardBack(),
      h("span", { "aria-hidden": "true" }, String(count)),
      h("span", { class: "heard" }, t("play.cards", { count })),
    ),
  );
}

const guest = ({ seat, name, taken }) =>
  h(
    "li",
    { key: seat, class: "wall-seat" },
    h("span", { class: "seat-name" }, name),
    h("span", { class: taken ? "tag here" : "tag" }, taken ? t("invite.here") : t("invite.free")),
  );

function said() {
  const told = state.entries.filter(isTold).slice(-SAID).reverse();
  return h(
    "ol",
    { class: "wall-said", "aria-label": t("play.rulings") },
    told.map((entry) =>
      h("li", { key: entry.id, class: classOf(entry) }, isIllegal(entry) ? icon("warn") : null, entry.undone ? h("s", {}, wordsOf(entry).join(" ")) : wordsOf(entry).join(" ")),
    ),
  );
}
