// Where one begins: make a table, join one, or go back to where one was.

import { call, newKey } from "../api.js";
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { leavePlace, places } from "../kept.js";
import { openDialog } from "../parts/dialog.js";
import { languageField } from "../parts/settings.js";
import { redraw } from "../state.js";
import { t } from "../texts.js";

export const home = {
  path: "/",
  title: () => t("nav.referee"),
  render: () => [
    h("img", { class: "logo", src: "/page/icons/icon.svg", alt: "", width: 96, height: 96 }),
    h("p", { class: "lead" }, t("home.lead")),
    h(
      "div",
      { class: "stack" },
      h("a", { class: "button main wide", href: "/new", "data-do": "new" }, t("home.new")),
      h("a", { class: "button wide", href: "/join", "data-do": "join" }, t("home.join")),
      h("a", { class: "button wide", href: "/club", "data-do": "club" }, t("club.title")),
      h("a", { class: "button quiet wide", href: "/rules", "data-do": "rules" }, icon("book"), t("rules.title")),
    ),
    mine(),
    languageField(),
  ],
};

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
      all.map(({ table, seats = [], host, ...mine }) =>
        h(
          "li",
          { key: table },
          h("a", { class: "button wide", href: `/t/${table}` }, seats.join(", ") || table, host ? h("span", { class: "tag" }, t("home.host")) : null),
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
