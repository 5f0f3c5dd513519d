// Which group keeps a table's games: none, unless a host chooses one.

import { h } from "../dom.js";
import { chooseFor, groups } from "../groups.js";
import { refresh, tokenFor, troubleOf } from "../session.js";
import { notify, redraw, state } from "../state.js";
import { t } from "../texts.js";
import { selectField } from "./fields.js";

/** The groups of this phone to choose from; `chosen` is an id, or "". */
export function groupField(chosen, choose) {
  const options = [["", t("people.none")], ...groups().map(({ id, name }) => [id, name])];
  return h(
    "div",
    { class: "stack", key: "group" },
    selectField(t("people.keep"), options, chosen, choose, "group"),
    h("p", { class: "small muted" }, t("people.lead")),
    h("a", { href: "/people" }, t("people.title")),
  );
}

let chosen = { table: null, id: "" };

/** For the host: the group that keeps the table's games. Which one it is, only this phone knows. */
export function groupSettings() {
  const { id: table, kept } = state.table;
  const known = chosen.table === table ? chosen.id : "";
  const choose = async (id) => {
    try {
      await chooseFor(table, tokenFor(null), id);
      chosen = { table, id };
      await refresh();
    } catch (error) {
      notify(troubleOf(error));
    }
    redraw();
  };
  const stop = kept && !known ? h("button", { "data-do": "keep-none", onclick: () => choose("") }, t("people.none")) : null;
  return h("div", { class: "stack" }, keptNote(), groupField(kept ? known : "", choose), stop);
}

/** What everybody at the table reads about it. */
export const keptNote = () => (state.table.kept ? h("p", { class: "small muted", key: "kept" }, t("people.kept")) : null);
