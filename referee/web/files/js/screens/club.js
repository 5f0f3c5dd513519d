// A club evening: open one, and then draw, start, follow and confirm its rounds. Others only look.

import { file, get, newKey, post, Problem } from "../api.js";
import { act, attempt, club as now, keepClub, lookAt, mine, organises, tokenOf } from "../club.js";
import { h } from "../dom.js";
import { save } from "../files.js";
import { read, write } from "../kept.js";
import { allCodes, clubClock, clubStandings, clubTables } from "../parts/clubtables.js";
import { openAddress, openOrganiser } from "../parts/clubshare.js";
import { checkField, openDialog, openForm, pickField, selectField, textField } from "../parts/dialog.js";
import { go } from "../router.js";
import { troubleOf } from "../session.js";
import { notify, redraw } from "../state.js";
import { t } from "../texts.js";

const FORMATS = ["swiss", "free", "knockout"];
const FINISHES = ["target", "time", "card-rounds"];
const SIZES = [2, 3, 4, 5, 6, 7, 8, 9, 10];
let decks = [];
let wish = null;
let busy = false;
let key = newKey();

/** Where an organiser opens an evening, or goes back to one. */
export const clubDoor = {
  path: "/club",
  title: () => t("club.title"),
  back: () => "/",
  async enter() {
    wish = { name: "", ruleset: "", players: "", format: "swiss", size: "4", rounds: "", minutes: "", finish: "", card_rounds: "", target: "", mode: "referee", ...read("club-wish", {}) };
    try {
      decks = (await get("/rulesets")).items;
      if (!decks.some((one) => one.id === wish.ruleset)) wish.ruleset = decks[0].id;
    } catch {
      notify(t("link.lost"));
    }
  },
  render: () => [h("p", { class: "lead" }, t("club.lead")), evenings(), wish && decks.length ? form() : h("p", { class: "muted" }, t("link.connecting"))],
};

function evenings() {
  if (!mine().length) return null;
  const link = ({ id, name }) => h("li", { key: id }, h("a", { class: "button wide", href: `/club/${id}` }, name));
  return h("section", { class: "mine" }, h("h2", {}, t("club.mine")), h("ul", {}, mine().map(link)));
}

function put(patch) {
  wish = { ...wish, ...patch };
  key = newKey();
  redraw();
}

// A round with a clock ends by it, unless the organiser says otherwise.
const finishOf = () => wish.finish || (wish.minutes ? "time" : "target");

function form() {
  const send = (event) => {
    event.preventDefault();
    make();
  };
  const typed = (name) => (event) => put({ [name]: event.target.value });
  const number = (name, label, more) => textField(label, { id: `club-${name}`, type: "number", inputmode: "numeric", min: 1, value: wish[name], oninput: typed(name), ...more });
  return h(
    "form",
    { class: "stack", onsubmit: send },
    h("h2", {}, t("club.new")),
    textField(t("club.name"), { id: "club-name", value: wish.name, required: true, maxlength: 80, autocomplete: "off", oninput: typed("name") }),
    // A select cuts off what is longer than the screen is wide.
    pickField(t("setup.deck"), decks.map(({ id, name }) => [id, name]), wish.ruleset, (ruleset) => put({ ruleset }), "club-deck"),
    h(
      "div",
      { class: "field" },
      h("label", { for: "club-players" }, t("club.players")),
      h("textarea", { id: "club-players", rows: 8, value: wish.players, oninput: typed("players"), "aria-describedby": "club-players-hint" }),
      h("p", { class: "small muted", id: "club-players-hint" }, t("club.players-hint")),
    ),
    pickField(t("club.format"), FORMATS.map((name) => [name, t(`club.${name}`)]), wish.format, (format) => put({ format }), "club-format"),
    selectField(t("club.size"), SIZES.map((size) => [String(size), String(size)]), wish.size, (size) => put({ size }), "club-size"),
    number("rounds", t("club.rounds"), { max: 50, placeholder: t("club.no-limit") }),
    number("minutes", t("club.minutes"), { max: 600, required: finishOf() === "time", placeholder: t("club.no-limit") }),
    pickField(t("club.finish"), FINISHES.map((name) => [name, t(`club.finish-${name}`)]), finishOf(), (finish) => put({ finish }), "club-finish"),
    finishOf() === "card-rounds" ? number("card_rounds", t("club.card-rounds"), { max: 100, required: true }) : null,
    number("target", t("club.target"), { max: 1_000_000, placeholder: "500" }),
    checkField(t("setup.score-only"), wish.mode === "score", (checked) => put({ mode: checked ? "score" : "referee" }), { "data-do": "score-only" }),
    h("p", { class: "small muted" }, t("setup.score-hint")),
    h("button", { class: "main wide", disabled: busy, "data-do": "open-club" }, t("club.make")),
  );
}

const namesIn = (text) => text.split("\n").map((name) => name.trim()).filter(Boolean);
const orNull = (text) => (text === "" ? null : Number(text));

async function make() {
  busy = true;
  redraw();
  write("club-wish", { ...wish, players: "" });
  const body = {
    name: wish.name.trim(),
    ruleset: wish.ruleset,
    players: namesIn(wish.players),
    format: wish.format,
    mode: wish.mode,
    table_size: Number(wish.size),
    rounds: orNull(wish.rounds),
    minutes: orNull(wish.minutes),
    finish: finishOf(),
    card_rounds: finishOf() === "card-rounds" ? orNull(wish.card_rounds) : null,
    options: wish.target === "" ? {} : { target: Number(wish.target) },
  };
  try {
    const { tournament, token } = await post("/tournaments", body, { key });
    keepClub({ id: tournament.id, name: tournament.name, token });
    key = newKey();
    notify(null);
    go(`/club/${tournament.id}`, { replace: true });
  } catch (error) {
    notify(troubleOf(error));
  }
  busy = false;
  redraw();
}

/** The evening. */
export const club = {
  path: "/club/:tournament",
  title: () => now.shown?.name ?? t("club.title"),
  back: () => "/club",
  wide: true,
  enter: ({ tournament }) => lookAt(tournament),
  render: () => {
    if (!now.shown) return h("p", { class: "muted centred", "aria-busy": now.trouble ? null : "true" }, now.trouble ?? t("link.connecting"));
    const { present, state } = now.shown;
    return h(
      "div",
      { class: "stack club" },
      now.trouble ? h("p", { class: "warn", role: "status" }, now.trouble) : null,
      present ? [h("h2", { key: "round" }, t("club.round", { number: present.round })), clubClock()] : h("p", { key: "open" }, t("club.open")),
      state === "over" ? h("p", { key: "over", class: "lead" }, t("club.over")) : null,
      organises() ? h("div", { class: "stack", key: "doing" }, allCodes(), steps(), clockButtons()) : null,
      present ? clubTables() : null,
      h("h2", { key: "standings-title" }, t("club.standings")),
      clubStandings(),
      organises() ? people() : null,
      files(),
      organises() ? breakOff() : null,
    );
  },
};

function step(label, name, method, path, body, main = true) {
  return h("button", { class: main ? "main wide" : "wide", key: name, "data-do": name, onclick: () => attempt(method, path, body) }, t(label));
}

// What comes next stands first.
function steps() {
  const { present, state } = now.shown;
  if (!present || (present.state === "over" && state !== "over")) return step("club.draw", "draw", "POST", "/rounds", {});
  const path = `/rounds/${present.round}`;
  if (present.state === "drawn") return [step("club.start", "start", "POST", `${path}/start`, {}), step("club.take-back", "take-back", "DELETE", path, undefined, false)];
  if (present.state === "over") return null;
  const takeBack = () => openForm(t("club.take-back"), () => h("p", {}, t("club.take-back-hint")), { say: t("club.take-back"), send: () => act("DELETE", path) });
  return untouched(present) ? h("button", { class: "wide", key: "take-back", "data-do": "take-back", onclick: takeBack }, t("club.take-back")) : null;
}

// As long as nobody has played, even a round that has started can be drawn anew.
const untouched = ({ tables }) => tables.every(({ state }) => state === "drawn");

// What ends games that people are playing: far from the other buttons, and never without a question.
function breakOff() {
  const { present } = now.shown;
  if (present?.state !== "playing") return null;
  const send = () => act("POST", `/rounds/${present.round}/end`);
  const ask = () => openForm(t("club.end"), () => h("p", {}, t("club.end-hint")), { say: t("club.end"), send });
  return [
    h("button", { class: "quiet wide", key: "force", "data-do": "force", onclick: openForce }, t("club.force")),
    h("button", { class: "quiet wide", key: "end", "data-do": "end", onclick: ask }, t("club.end")),
  ];
}

function openForce() {
  openForm(t("club.force"), () => h("p", {}, t("club.force-hint")), { say: t("club.force"), send: () => act("POST", "/rounds", { force: true }) });
}

function clockButtons() {
  const { present } = now.shown;
  if (present?.state !== "playing" || !present.clock) return null;
  const { clock, round } = present;
  const path = `/rounds/${round}/clock`;
  const change = clock.state === "paused" ? "resume" : "pause";
  return h(
    "div",
    { class: "row", key: "clock-buttons" },
    clock.state !== "up" ? h("button", { "data-do": change, onclick: () => attempt("POST", path, { change }) }, t(`club.${change}`)) : null,
    h("button", { "data-do": "extend", onclick: () => attempt("POST", path, { change: "extend", minutes: 5 }) }, t("club.extend")),
  );
}

function people() {
  const { players } = now.shown;
  return h(
    "section",
    { class: "stack", key: "people" },
    h("h2", {}, t("club.players")),
    h("button", { class: "wide", "data-do": "add", onclick: openAdd }, t("club.add")),
    h("button", { class: "wide", "data-do": "organiser", onclick: openOrganiser }, t("club.organiser")),
    h(
      "ul",
      { class: "club-people" },
      players.map(({ player, name, status }) =>
        h(
          "li",
          { key: player },
          h("button", { class: "wide", "data-do": `player-${player}`, onclick: () => openPlayer(player) }, name, status === "in" ? null : h("span", { class: "tag" }, t(`club.player-${status}`))),
        ),
      ),
    ),
  );
}

/** What an organiser may do about one of the evening. */
function openPlayer(player) {
  const { name, status } = now.shown.players.find((one) => one.player === player);
  const others = status === "in" ? { pause: ["paused", "pause-of"], out: ["out", "out-of"] } : { back: ["in", "back-of"] };
  openDialog(name, (close) => [
    h("button", { class: "wide", "data-do": "rename", onclick: () => (close(), openRename(player, name)) }, t("club.rename")),
    Object.entries(others).map(([act, [next, text]]) =>
      h("button", { class: "wide", key: act, "data-do": act, onclick: () => (close(), attempt("PATCH", `/players/${player}`, { status: next })) }, t(`club.${text}`, { name })),
    ),
  ]);
}

function openRename(player, name) {
  let text = name;
  const field = () => textField(t("club.player"), { id: "new-name", value: text, required: true, maxlength: 80, autocomplete: "off", oninput: (event) => ((text = event.target.value), redraw()) });
  const send = () => act("PATCH", `/players/${player}`, { name: text.trim() });
  openForm(t("club.rename-of", { name }), field, { say: t("club.rename"), ready: () => text.trim() !== "", send });
}

function openAdd() {
  let text = "";
  const field = () =>
    h(
      "div",
      { class: "field" },
      h("label", { for: "more-players" }, t("club.players")),
      h("textarea", { id: "more-players", rows: 4, "aria-describedby": "more-hint", oninput: (event) => ((text = event.target.value), redraw()) }),
      h("p", { class: "small muted", id: "more-hint" }, t("club.names")),
    );
  openForm(t("club.add"), field, { say: t("club.add"), ready: () => namesIn(text).length > 0, send: () => act("POST", "/players", { players: namesIn(text) }) });
}

function files() {
  const path = `/tournaments/${now.id}`;
  const fetched = (rest, name) => async () => {
    try {
      save(await file(`${path}/${rest}`, { token: tokenOf(now.id) ?? undefined }), name);
    } catch (error) {
      notify(error instanceof Problem ? error.message : t("link.lost"));
    }
  };
  return h(
    "section",
    { class: "stack", key: "files", "aria-label": t("scores.files") },
    h("a", { class: "button wide", href: `/club/${now.id}/wall`, "data-do": "wall" }, t("wall.title")),
    h("button", { class: "wide", "data-do": "share", onclick: openAddress }, t("club.share")),
    h(
      "div",
      { class: "row" },
      h("button", { onclick: fetched("results.csv", "results.csv") }, t("club.results-file")),
      h("button", { onclick: fetched("standings.csv", "standings.csv") }, t("club.standings-file")),
      h("button", { onclick: fetched("export", "tournament.json") }, t("club.export-file")),
    ),
  );
}
