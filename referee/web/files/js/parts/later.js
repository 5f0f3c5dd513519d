// Modules that a screen needs only now and then: they are loaded when it does, and the screen is drawn again.

import { redraw } from "../state.js";

/** A module by `load`, such as `() => import("…")`: what is called gives null until it is there. */
export function later(load) {
  let found = null;
  let asked = false;
  return () => {
    if (!asked) {
      asked = true;
      load().then(
        (module) => ((found = module), redraw()),
        () => (asked = false),
      );
    }
    return found;
  };
}
