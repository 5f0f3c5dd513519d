// Where one begins: make a table, join one, or go back to where one was.

import { call, newKey } from "../api.js";
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { leavePlace, places } from "../kept.js";
import { openDialog } from "../parts/dialog.js";
import { fan } from "../parts/fan.js";
import { languageField } from "../parts/settings.js";
import { redraw } from "../state.js";
import { language, t } from "../texts.js";

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
const when = (at) => new Intl.DateTimeFormat(language(), { weekday: "short", hour: "numeric", minute: "2-digit" }).format(at);

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
