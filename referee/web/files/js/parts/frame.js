// What is around every screen: its title, how the server is, the way to the other screens.

import { h, icon } from "../dom.js";
import { notify, state } from "../state.js";
import { t } from "../texts.js";
import { asking, hasAsked, hostRequest, whoAsks } from "./asking.js";
import { openSettings } from "./settings.js";

/**
 * A screen in its frame. `tabs` are `[{path, icon, label}]`, the present one marked; `foot` stays in view
 * above them.
 */
export function frame({ title, back, content, foot = null, tabs = [], wide = false }) {
  return h(
    "div",
    { class: `page${wide ? " wide-page" : ""}` },
    h("a", { class: "skip", href: "#main", onclick: skip }, t("nav.skip")),
    h(
      "header",
      { class: "bar" },
      back ? h("a", { class: "button quiet square", href: back, "aria-label": t("nav.back") }, icon("back")) : null,
      h("h1", {}, title),
      h("button", { class: "quiet square", "aria-label": t("nav.settings"), onclick: openSettings, "data-do": "settings" }, icon("more")),
    ),
    link(),
    notice(),
    hostRequest(),
    asking(),
    whoAsks(),
    h("main", { id: "main", tabindex: "-1" }, content),
    foot ? h("div", { class: "foot", key: "foot" }, foot, tabbar(tabs)) : tabbar(tabs),
  );
}

const tabbar = (tabs) => (tabs.length ? h("nav", { class: "tabbar", "aria-label": t("nav.screens") }, tabs.map(tab)) : null);

function skip(event) {
  event.preventDefault();
  document.getElementById("main").focus();
}

function tab({ path, icon: name, label, here }) {
  return h("a", { href: path, key: path, "aria-current": here ? "page" : null }, icon(name), h("span", {}, label));
}

// How the phone and the server get on; nothing is said while all is well.
function link() {
  const waiting = state.waiting.length;
  if (state.link === "over") {
    return h("div", { class: "link lost", role: "status" }, t(hasAsked() ? "join.refused" : "link.over"), " ", h("a", { href: "/" }, t("link.home")));
  }
  if (state.link === "live" && !waiting) return h("div", { class: "link", role: "status" });
  const text = state.link === "lost" ? t("link.lost") : state.link === "connecting" ? t("link.connecting") : t("link.sending");
  return h(
    "div",
    { class: `link ${state.link}`, role: "status" },
    state.link === "lost" ? icon("offline") : null,
    h("span", {}, text),
    waiting && state.link !== "live" ? h("span", {}, t("link.waiting", { count: waiting })) : null,
  );
}

function notice() {
  const { notice: said } = state;
  return h(
    "div",
    { role: "alert", class: said ? `notice ${said.kind}` : "notice none" },
    said
      ? [
          h("p", {}, said.text),
          h("button", { class: "quiet square", "aria-label": t("nav.close"), onclick: () => notify(null) }, icon("close")),
        ]
      : null,
  );
}
