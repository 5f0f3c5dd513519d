// Styles that few phones need: loaded with what they are for.

import { h } from "./dom.js";

/** Load a style, once; `before` names the one that it stands before, where both say something. */
export function style(name, before = null) {
  const known = document.querySelector(`link[href$="/${name}.css"]`);
  if (known) return Promise.resolve();
  return new Promise((done) => {
    // Without it the screen is plain, and works.
    const link = h("link", { rel: "stylesheet", href: `/page/css/${name}.css`, onload: done, onerror: done });
    const place = before && document.querySelector(`link[href$="/${before}.css"]`);
    if (place) place.before(link);
    else document.head.append(link);
  });
}
