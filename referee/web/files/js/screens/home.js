// Where somebody begins: make a table, or join it.

import { call, get, newKey, post, Problem } from "../api.js";
import { fan } from "../cards.js";
import { h, icon } from "../dom.js";
import { keepName, keepPlace, leavePlace, myName, place, places } from "../kept.js";
import { drop, takeSeat, waitForSeat } from "../parts/asking.js";
import { openDialog, textField } from "../parts/dialog.js";
import { houseRules } from "../parts/house.js";
import { markOf } from "../parts/podium.js";
import { languageField } from "../parts/settings.js";
import { go } from "../router.js";
import { inRound, notify, redraw, seated } from "../state.js";
import { language, learnDeck, locale, t } from "../texts.js";

// Where one begins: make a table, join one, or go back to where one was.

export const home = {
  path: "/",
  title: () => t("nav.referee"),
  render: () => h("div", { class: "home" }, about(), h("div", { class: "stack" }, goOn(), ways(), mine(), languageField())),
};

function about() {
  return h(
    "div",
    { class: "about" },
    fan(["red-7", "yellow-reverse", "wild", "green-draw-two", "blue-4"]),
    // Who is in the middle of a game knows.
    running() ? null : h("p", { class: "lead" }, t("home.lead")),
  );
}

// A game is likely still going on where this phone was a few hours ago.
const RUNNING_MS = 12 * 3_600_000;
const running = () => places().find(({ at }) => Date.now() - at < RUNNING_MS);
const when = (at) => new Intl.DateTimeFormat(locale(), { weekday: "short", hour: "numeric", minute: "2-digit" }).format(at);

function goOn() {
  const last = running();
  if (!last) return null;
  return h(
    "a",
    { class: "button main wide go-on", href: `/t/${last.table}`, "data-do": "go-on" },
    icon("table"),
    h("span", {}, h("strong", {}, t("home.go-on")), h("span", {}, namesOf(last))),
  );
}

const namesOf = ({ seats = [] }) => seats.join(", ") || t("play.title");

function ways() {
  return h(
    "div",
    { class: "stack" },
    h("a", { class: running() ? "button wide" : "button main wide", href: "/new", "data-do": "new" }, t("home.new")),
    h("a", { class: "button wide", href: "/join", "data-do": "join" }, t("home.join")),
    h("a", { class: "button wide", href: "/club", "data-do": "club" }, t("club.title")),
    h("a", { class: "button wide", href: "/people", "data-do": "people" }, t("people.title")),
    h("a", { class: "button quiet wide", href: "/rules", "data-do": "rules" }, icon("book"), t("rules.title")),
  );
}

function mine() {
  const all = places();
  if (!all.length) return null;
  return h(
    "section",
    { class: "mine" },
    h("h2", {}, t("home.mine")),
    h(
      "ul",
      {},
      all.map(({ table, seats = [], host, at, ...mine }) =>
        h(
          "li",
          { key: table },
          h("a", { class: "button wide", href: `/t/${table}` }, h("span", {}, namesOf({ seats }), h("small", { class: "muted" }, when(at))), host ? h("span", { class: "tag" }, t("home.host")) : null),
          h("button", { class: "quiet", onclick: () => openForget({ table, host, ...mine }), "aria-label": t("home.forget-of", { seats: seats.join(", ") }) }, t("home.forget")),
        ),
      ),
    ),
  );
}

// A seat that is given up is free for somebody else; a host's place cannot be had again.
function openForget({ table, host, seat, watch }) {
  const forget = async (close) => {
    close();
    const token = seat?.token ?? watch;
    if (token) await call("DELETE", `/tables/${table}/tokens/self`, { token, key: newKey() }).catch(() => {});
    leavePlace(table);
    redraw();
  };
  openDialog(t("home.forget"), (close) => [
    h("p", {}, t(host ? "home.forget-host" : "home.forget-seat")),
    h(
      "div",
      { class: "row" },
      h("button", { onclick: close }, t("nav.back")),
      h("button", { class: "main", "data-do": "forget", onclick: () => forget(close) }, t("home.forget")),
    ),
  ]);
}

// Joining a table by its code: type a name, take a seat that waits for it, or watch.

const LONGEST = 40;
let table = null;
let watcher = null;
let busy = false;
let name = "";

// A try that is made again for the same seat is the same try, whatever became of the first.
const keys = new Map();

function keyOf(...what) {
  const said = what.join(" ");
  if (!keys.has(said)) keys.set(said, newKey());
  return keys.get(said);
}

const codeOf = () => new URLSearchParams(location.search).get("code") ?? "";

export const join = {
  path: "/join",
  title: () => t("join.title"),
  back: () => "/",
  enter() {
    table = null;
    watcher = null;
    name = myName();
    if (codeOf()) look(codeOf());
  },
  render: () => [table ? freePlaces() : codeForm(), languageField()],
};

function codeForm() {
  const send = (event) => {
    event.preventDefault();
    look(new FormData(event.target).get("code"));
  };
  return h(
    "form",
    { class: "stack", onsubmit: send },
    fan(["green-4", "yellow-skip", "red-7", "wild", "blue-draw-two"]),
    h("p", { class: "centred" }, t("join.lead")),
    textField(t("join.code"), { id: "code", name: "code", value: codeOf(), required: true, autocomplete: "off", autocapitalize: "characters", spellcheck: "false", maxlength: 24, class: "code-field" }),
    h("button", { class: "main wide", disabled: busy, "data-do": "look" }, t("join.look")),
  );
}

// Whoever has the code may watch, and so see which seats are free.
async function look(code) {
  await attempt(async () => {
    watcher = await post("/join", { code }, { key: keyOf(code) });
    watcher.code = code;
    if (await sitsAt(watcher.table_id)) {
      drop(watcher.table_id, watcher.token);
      return go(`/t/${watcher.table_id}`, { replace: true });
    }
    table = await get(`/tables/${watcher.table_id}`, { token: watcher.token });
    await learnDeck(table.ruleset);
  });
}

// Whether this phone has a seat there already, which nobody has freed since.
async function sitsAt(id) {
  const token = place(id)?.seat?.token;
  return Boolean(token) && get(`/tables/${id}`, { token }).then(() => true, ({ status }) => status !== 401);
}

// At an open table a name is all one needs; elsewhere most names are there already.
function freePlaces() {
  return h(
    "div",
    { class: "stack" },
    table.open && !table.options.teams ? [nameForm(), seatList()] : [seatList(), otherName()],
    h("button", { class: "quiet wide", "data-do": "watch", onclick: watch }, t("join.watch")),
    houseRules(table),
  );
}

// Who sits at a tournament, its organiser decides; teams have their seats.
function otherName() {
  if (table.tournament) return null;
  if (table.options.teams) return h("p", { class: "small muted" }, t("teams.full"));
  return h("details", { class: "house" }, h("summary", {}, t("join.other")), nameForm());
}

function seatList() {
  const all = seated(table).filter((seat) => !seat.taken || !table.open);
  if (!all.length) return null;
  return h(
    "section",
    { class: "stack", key: "seats" },
    h("h2", {}, t("join.who")),
    all.map((seat) =>
      h(
        "button",
        { class: "wide name", key: seat.seat, disabled: busy, "data-do": `seat-${seat.seat}`, onclick: () => (seat.taken ? openIsItYou(seat.name) : sit(seat)) },
        h("span", { class: "person" }, markOf(table, seat.seat), seat.name),
        seat.taken ? h("span", { class: "tag" }, t("join.taken")) : null,
      ),
    ),
  );
}

function nameForm() {
  const asks = !table.open || inRound(table);
  const send = (event) => {
    event.preventDefault();
    const wanted = name.trim();
    if (seated(table).some((seat) => seat.taken && seat.name === wanted)) openIsItYou(wanted);
    else come(wanted);
  };
  const oninput = (event) => (name = event.target.value);
  return h(
    "form",
    { class: "stack", key: "name", onsubmit: send },
    textField(t("setup.my-name"), { id: "my-name", value: name, oninput, required: true, maxlength: LONGEST, autocomplete: "nickname" }),
    asks ? h("p", { class: "small muted" }, t(table.open ? "join.in-round" : "join.host-agrees")) : null,
    h("button", { class: "main wide", disabled: busy, "data-do": "come" }, t(asks ? "join.ask" : "join.sit")),
  );
}

// Two people of one name are rarer than a phone that has forgotten its seat.
function openIsItYou(name) {
  openDialog(t("join.is-it-you"), (close) => [
    h("p", {}, t("join.is-taken", { name })),
    h(
      "div",
      { class: "row" },
      h("button", { onclick: close }, t("nav.back")),
      h("button", { class: "main", "data-do": "ask-again", onclick: () => (close(), come(name)) }, t("join.ask-host")),
    ),
  ]);
}

async function come(wanted) {
  keepName(wanted);
  await attempt(async () => {
    const joined = await post("/join", { code: watcher.code, name: wanted }, { key: keyOf(watcher.code, wanted, table.version) });
    if (joined.seat) await takeSeat(joined, table.ruleset, watcher.token);
    else waitForSeat(joined, { code: watcher.code, name: wanted }, table.ruleset, watcher.token);
    go(`/t/${joined.table_id}`, { replace: true });
  });
}

async function sit({ seat, name: chosen }) {
  await attempt(async () => {
    const joined = await post("/join", { code: watcher.code, seat }, { key: keyOf(watcher.code, seat) });
    keepName(chosen);
    await takeSeat(joined, table.ruleset, watcher.token);
    go(`/t/${joined.table_id}`, { replace: true });
  });
}

function watch() {
  keepPlace(watcher.table_id, { watch: watcher.token, ruleset: table.ruleset });
  go(`/t/${watcher.table_id}`, { replace: true });
}

async function attempt(what) {
  busy = true;
  notify(null);
  try {
    await what();
  } catch (error) {
    notify(error instanceof Problem ? error.said : t("link.lost"));
    // Somebody was quicker, or a round has begun.
    if (watcher && table && error instanceof Problem) table = await get(`/tables/${watcher.table_id}`, { token: watcher.token }).catch(() => table);
  }
  busy = false;
  redraw();
}
