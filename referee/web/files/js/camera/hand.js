// A hand shown to the phone's camera: read picture by picture, its cards ticked off as they are seen.

import { Problem } from "../api.js";
import { h, svg } from "../dom.js";
import { t } from "../texts.js";
import { lens } from "./watch.js";
import { merge } from "./merge.js";
import { grey, HEIGHT, motionSense, WIDTH } from "./motion.js";

// A minute of it takes two thirds of the requests that a phone may make.
const PACE_MS = 1_050;
// A picture is best when nothing moves, but some hands never lie still.
const LONGEST_WAIT_MS = 2_000;
const REMEMBERED = 10;
const LONGEST_SIDE = 1280;
const QUALITY = 0.85;
// Of hands whose number nobody knows: as often alike, and it is taken to be all.
const SETTLED = 3;

/**
 * A live reading. `read(picture)` posts a JPEG and answers what is on it; `found({cards, rest})` is told after each;
 * `done()` when all `count` are there; `failed(error)` where it cannot go on; `changed()` when there is something
 * else to show.
 */
export function liveHand({ count, read, found, done, failed, changed }) {
  const self = { start, stop, figure, show: null, phase: () => eye.phase };
  const eye = lens(look, changed);
  const sense = motionSense();
  const small = pen(WIDTH, HEIGHT, true);
  const large = pen(0, 0, false);
  let readings = [];
  let have = 0;
  let alike = 0;
  let asked = 0;
  let busy = false;
  let stopped = true;
  let size = null;
  self.show = eye.show;

  function start() {
    stopped = false;
    return eye.open();
  }

  function stop() {
    stopped = true;
    eye.close();
  }

  function look(video, time) {
    if (!size || size.width !== video.videoWidth) {
      size = { width: video.videoWidth, height: video.videoHeight };
      changed();
    }
    small.drawImage(video, 0, 0, WIDTH, HEIGHT);
    const moves = sense.look(grey(small.getImageData(0, 0, WIDTH, HEIGHT).data));
    const wait = time - asked;
    if (stopped || busy || wait < PACE_MS || (moves && wait < LONGEST_WAIT_MS)) return;
    asked = time;
    sense.settle();
    busy = true;
    take(video).then(() => (busy = false));
  }

  async function take(video) {
    const scale = Math.min(1, LONGEST_SIDE / Math.max(video.videoWidth, video.videoHeight));
    large.canvas.width = Math.round(video.videoWidth * scale);
    large.canvas.height = Math.round(video.videoHeight * scale);
    large.drawImage(video, 0, 0, large.canvas.width, large.canvas.height);
    const { width, height } = large.canvas;
    try {
      const picture = await new Promise((resolve) => large.canvas.toBlob(resolve, "image/jpeg", QUALITY));
      const { items } = await read(picture);
      if (!stopped) takeIn({ items, width, height });
    } catch (error) {
      if (stopped) return;
      // Without a network, or too often: it tries again.
      if (!(error instanceof Problem) || error.status === 429) asked = performance.now() + 2 * PACE_MS;
      else if (error.kind !== "unreadable-photo") failed(error);
    }
  }

  function takeIn({ items, width, height }) {
    readings = [...readings, Object.assign(items, { width, height })].slice(-REMEMBERED);
    const hand = merge(readings, count);
    alike = hand.cards.length && hand.cards.length === have && !hand.rest.length ? alike + 1 : 0;
    have = hand.cards.length;
    found(hand);
    if (count === null ? alike >= SETTLED : have === count) {
      stop();
      done();
    }
    changed();
  }

  /** The picture, with an outline around each card that was found on the last one that was read. */
  function figure() {
    const last = readings.at(-1);
    return h(
      "figure",
      { class: "eye-box", key: "hand-eye-box" },
      h("video", { class: "eye hand-eye", key: "hand-eye", muted: true, playsinline: true, "aria-label": t("camera.shows") }),
      last
        ? svg(
            "svg",
            { class: "sights", viewBox: `0 0 ${last.width} ${last.height}`, "aria-hidden": "true" },
            last.map((one) => svg("polygon", { points: one.corners.join(" "), class: one.sure ? "sure" : "" })),
          )
        : null,
    );
  }

  return self;
}

function pen(width, height, often) {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  return canvas.getContext("2d", { willReadFrequently: often });
}
