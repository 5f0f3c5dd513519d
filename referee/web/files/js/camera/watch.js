// This phone as a table's camera: it looks for movement itself, and sends pictures of it.

import { lens } from "./lens.js";
import { grey, HEIGHT, motionSense, WIDTH } from "./motion.js";
import { sender } from "./sender.js";

// How often movement is looked for, and how long after it pictures go on.
const LOOK_MS = 75;
const AFTER_MS = 1_500;
// At rest: a sign of life, so that the referee knows that nothing was missed.
const SIGN_MS = 400;
const LONGEST_SIDE = 1280;
const LARGEST = 512 * 1024;
const BEFORE_FIRST = { state: "starting", reason: null, pile: null, draw_pile: null, card: null, busy: false, advice: [] };

/**
 * A watch over a table's pile. `address()` is `{path, token}` of the camera; `changed()` is called whenever there
 * is something else to show.
 */
export function watch(address, changed) {
  const self = { view: BEFORE_FIRST, tapped: null, start, stop, size: null, pictures: 0, signs: 0 };
  const eye = lens(look, changed);
  const sense = motionSense();
  const small = canvas(WIDTH, HEIGHT);
  const large = canvas(0, 0);
  let out = null;
  let rate = 8;
  let pictureEvery = 2_000;
  let looked = 0;
  let moved = 0;
  let taken = 0;
  let next = 0;
  let signed = 0;
  let taking = Promise.resolve();
  let under = 0;

  function start() {
    out ??= sender(address, { answered, changed });
    return eye.open();
  }

  function stop() {
    eye.close();
    out?.stop();
    out = null;
    self.view = BEFORE_FIRST;
    sense.forget();
  }

  function answered(view, { pile }) {
    const before = JSON.stringify(self.view);
    const { frames_per_second: most, picture_every_s: every, ...seen } = view;
    rate = Math.min(Math.max(most, 1), 12);
    pictureEvery = 1_000 * every;
    self.view = seen;
    // Where somebody tapped is said until the pile is there.
    if (pile && seen.pile && pile === self.tapped) self.tapped = null;
    if (JSON.stringify(seen) !== before) changed();
  }

  function look(video, time) {
    if (time - looked < LOOK_MS || !out) return;
    looked = time;
    if (video.videoWidth !== self.size?.width || video.videoHeight !== self.size.height) turned(video);
    small.pen.drawImage(video, 0, 0, WIDTH, HEIGHT);
    if (sense.look(grey(small.pen.getImageData(0, 0, WIDTH, HEIGHT).data))) moved = time;
    const moving = time - moved < AFTER_MS;
    const due = moving ? time >= next : time - taken >= pictureEvery;
    if (due && under < 2) picture(video, time);
    else if (!moving && out.idle() && time - Math.max(taken, signed) >= SIGN_MS) {
      signed = time;
      self.signs++;
      out.put({ captured: time, pile: self.tapped });
    }
  }

  // A phone that was turned shows everything elsewhere.
  function turned({ videoWidth: width, videoHeight: height }) {
    self.size = { width, height };
    sense.forget();
    changed();
  }

  function picture(video, time) {
    taken = time;
    // On the average no more than wanted, however the camera's own rhythm falls.
    next = Math.max(next, time - 1_000 / rate) + 1_000 / rate;
    sense.settle();
    const scale = Math.min(1, LONGEST_SIDE / Math.max(video.videoWidth, video.videoHeight));
    large.width = Math.round(video.videoWidth * scale);
    large.height = Math.round(video.videoHeight * scale);
    large.pen.drawImage(video, 0, 0, large.width, large.height);
    const made = new Promise((resolve) => large.toBlob(resolve, "image/jpeg", out.quality));
    const pile = self.tapped;
    under++;
    // One that is made sooner than the one before it waits for that.
    taking = Promise.all([made, taking]).then(([body]) => {
      under--;
      if (!body || !out) return;
      if (body.size > LARGEST) out.quality *= 0.85;
      else out.put({ captured: time, body, pile });
      self.pictures++;
    });
  }

  return Object.defineProperties(self, {
    phase: { get: () => eye.phase },
    link: { get: () => out?.link ?? "fine" },
    bytes: { get: () => out?.bytes ?? 0 },
    show: { value: eye.show },
  });
}

function canvas(width, height) {
  const made = document.createElement("canvas");
  made.width = width;
  made.height = height;
  made.pen = made.getContext("2d", { willReadFrequently: width > 0 });
  return made;
}
