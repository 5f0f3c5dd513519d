// Where one begins: make a table, join one, or go back to where one was.

import { h } from "../dom.js";
import { leavePlace, places } from "../kept.js";
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
      all.map(({ table, seats = [], host }) =>
        h(
          "li",
          { key: table },
          h("a", { class: "button wide", href: `/t/${table}` }, seats.join(", ") || table, host ? h("span", { class: "tag" }, t("home.host")) : null),
          h("button", { class: "quiet", onclick: () => (leavePlace(table), redraw()), "aria-label": t("home.forget-of", { seats: seats.join(", ") }) }, t("home.forget")),
        ),
      ),
    ),
  );
}
