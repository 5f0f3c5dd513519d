// Fields of forms, each with its label.

import { h } from "../dom.js";

/** A labelled text field; `props` has its id. */
export function textField(label, props) {
  return h("div", { class: "field" }, h("label", { for: props.id }, label), h("input", { type: "text", ...props }));
}

/** A labelled choice; `options` are `[value, text]`. */
export function selectField(label, options, chosen, onchange, id) {
  return h(
    "div",
    { class: "field" },
    h("label", { for: id }, label),
    h(
      "select",
      { id, onchange: (event) => onchange(event.target.value) },
      options.map(([value, text]) => h("option", { value, selected: value === chosen }, text)),
    ),
  );
}

/** A choice between few, all in view; `options` are `[value, text]`. */
export function pickField(label, options, chosen, onchange, id) {
  return h(
    "fieldset",
    { class: "pick" },
    h("legend", {}, label),
    h(
      "div",
      { class: "picks" },
      options.map(([value, text]) =>
        h("label", { key: value }, h("input", { type: "radio", name: id, value, id: `${id}-${value}`, checked: value === chosen, onchange: () => onchange(value) }), h("span", {}, text)),
      ),
    ),
  );
}

/** A switch with its label. */
export function checkField(label, checked, onchange, props = {}) {
  return h(
    "label",
    { class: "check" },
    h("input", { type: "checkbox", checked, ...props, onchange: (event) => onchange(event.target.checked) }),
    h("span", {}, label),
  );
}
