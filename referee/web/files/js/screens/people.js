// People across evenings: the groups of this phone, what a group keeps, and a page a person.

import { call, file, get } from "../api.js";
import { h, icon } from "../dom.js";
import { save } from "../files.js";
import { groups, keepGroup, leaveGroup, linkOf, makeGroup, takeLink, tokenOf } from "../groups.js";
import { openDialog, textField, openForm } from "../parts/dialog.js";
import { go } from "../router.js";
import { troubleOf } from "../session.js";
import { notify, redraw } from "../state.js";
import { labelled, locale, t } from "../texts.js";

const LONGEST = 40;
// What is counted, and the text that says it.
const COUNTS = {
  games: "people.games",
  won: "people.won",
  rounds_won: "people.rounds-won",
  best_streak: "people.best-streak",
  right: "scores.right",
  wrong: "scores.wrong",
  bluffed: "people.bluffed",
  fours: "people.fours",
  caught: "scores.uno",
  catches: "people.catches",
};
let shown = null;
let name = "";

export const peopleDoor = {
  path: "/people",
  title: () => t("people.title"),
  back: () => "/",
  enter: () => void (name = ""),
  render: () => [
    h("p", {}, t("people.lead")),
    h("div", { class: "stack" }, groups().map((one) => h("a", { class: "button wide", key: one.id, href: `/people/${one.id}` }, one.name || one.id))),
    h(
      "form",
      { class: "stack", onsubmit: create },
      textField(t("setup.placeholder"), { id: "group-name", value: name, required: true, maxlength: LONGEST, autocomplete: "off", oninput: (event) => (name = event.target.value) }),
      h("button", { class: "main wide", "data-do": "make-group" }, t("people.new")),
    ),
  ],
};

async function create(event) {
  event.preventDefault();
  try {
    go(`/people/${await makeGroup(name.trim())}`);
  } catch (error) {
    notify(troubleOf(error));
  }
}

/** What a group keeps. */
export const people = {
  path: "/people/:group",
  title: () => shown?.name ?? t("people.title"),
  back: () => "/people",
  enter: ({ group }) => (takeLink(), load(group)),
  render: ({ group }) => (shown?.id === group ? page() : h("p", { class: "muted" }, tokenOf(group) ? t("link.connecting") : t("people.no-token"))),
};

async function load(id) {
  if (shown?.id !== id) shown = null;
  const token = tokenOf(id);
  if (!token) return;
  try {
    shown = await get(`/groups/${id}`, { token });
    keepGroup({ id, name: shown.name, token });
  } catch (error) {
    notify(troubleOf(error));
  }
  redraw();
}

function page() {
  return h(
    "div",
    { class: "stack people-page" },
    shown.people.length ? standings() : h("p", { class: "muted" }, t("people.nothing")),
    shown.games.length ? h("section", { class: "stack" }, h("h2", {}, t("people.games")), h("ol", { class: "kept-games" }, shown.games.map(game))) : null,
    h("button", { class: "wide", "data-do": "group-csv", disabled: !shown.games.length, onclick: csv }, icon("save"), t("scores.csv")),
    h("button", { class: "wide", "data-do": "group-link", onclick: openLink }, icon("share"), t("people.share")),
    h("button", { class: "quiet wide", "data-do": "delete-group", onclick: openDelete }, t("people.delete")),
  );
}

function standings() {
  return h(
    "ol",
    { class: "kept-people", "aria-label": t("play.seats") },
    shown.people.map((one) =>
      h(
        "li",
        { key: one.name },
        h(
          "button",
          { class: "wide", "data-do": "person", onclick: () => openPerson(one.name) },
          h("span", { class: "person" }, one.name),
          h("span", {}, labelled(t("people.won"), `${one.won} / ${one.games}`)),
        ),
      ),
    ),
  );
}

const day = (time) => new Date(time).toLocaleDateString(locale(), { day: "numeric", month: "short", year: "numeric" });

function game({ table_id: table, game: number, ended, deck, seats, link }) {
  const line = (seat) => h("span", { class: seat.won ? "won" : null }, `${seat.name ?? "–"} ${seat.points}`);
  return h(
    "li",
    { key: `${table}-${number}` },
    h("span", { class: "muted" }, `${day(ended)} · ${deck}`),
    h("span", { class: "kept-seats" }, seats.map(line)),
    h("a", { href: link, target: "_blank", rel: "noreferrer", "aria-label": `BG Stats: ${day(ended)}` }, "BG Stats"),
  );
}

// A person's page.
function openPerson(wanted) {
  const one = () => shown.people.find((other) => other.name === wanted);
  openDialog(wanted, (close) => {
    const found = one();
    if (!found) return null;
    return [
      h("dl", { class: "counts" }, Object.entries(COUNTS).map(([id, text]) => [h("dt", {}, t(text)), h("dd", {}, String(found[id]))])),
      found.nemesis ? h("p", {}, t("people.nemesis", { name: found.nemesis.name, count: found.nemesis.count })) : null,
      h("button", { class: "quiet wide", "data-do": "forget-person", onclick: () => (close(), openForgetPerson(wanted)) }, t("home.forget")),
    ];
  });
}

function openForgetPerson(wanted) {
  openForm(labelled(t("home.forget"), wanted), () => h("p", {}, t("people.forget-hint")), {
    say: t("home.forget"),
    final: true,
    send: () => act(async (token) => (shown = await call("POST", `/groups/${shown.id}/forgotten`, { token, body: { name: wanted } }))),
  });
}

function openDelete() {
  openForm(t("people.delete"), () => h("p", {}, t("people.delete-hint")), {
    say: t("people.delete"),
    final: true,
    send: async () => {
      const { id } = shown;
      const trouble = await act((token) => call("DELETE", `/groups/${id}`, { token }));
      if (trouble === null) {
        leaveGroup(id);
        shown = null;
        setTimeout(() => go("/people", { replace: true }));
      }
      return trouble;
    },
  });
}

function openLink() {
  const select = (event) => event.target.select();
  openDialog(t("people.share"), () => [
    h("p", {}, t("people.share-hint")),
    textField(t("club.address"), { id: "group-link", readonly: true, value: linkOf(shown.id), onclick: select }),
  ]);
}

async function csv() {
  try {
    save(await file(`/groups/${shown.id}/games.csv`, { token: tokenOf(shown.id) }), `${shown.name}.csv`);
  } catch (error) {
    notify(troubleOf(error));
  }
}

// What went wrong, as a sentence; null if it is done.
async function act(what) {
  try {
    await what(tokenOf(shown.id));
    return null;
  } catch (error) {
    return troubleOf(error);
  }
}
