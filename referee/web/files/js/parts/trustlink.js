// A link to what a phone does to get a protected connection.

import { h } from "../dom.js";
import { t } from "../texts.js";

/** For where something is missing for lack of one. Loaded anew: that page may try the protected address. */
export const trustLink = () => h("a", { href: "/trust", target: "_self", "data-do": "trust" }, t("nav.trust"));
