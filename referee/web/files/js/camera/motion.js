// Whether something moves, told from small grey pictures.

/** Size of the pictures to compare, in pixels. */
export const WIDTH = 160;
export const HEIGHT = 90;
const CELL = 10;
const ACROSS = WIDTH / CELL;
// A card, 9 × 13 pixels when it is seen from as far as can be read, covers this much of a cell wherever it lies.
const MOVED_IN_CELL = 8;
// Grey levels. Noise of a phone's camera lies well below; a card on a cloth of its own lightness, above.
const LEAST = 10;
const NOISES = 5;
// How fast the noise is learnt anew: over about twenty pictures.
const LEARN = 0.05;
// From the median of absolute differences to a standard deviation, for normal noise.
const SPREAD = 1.48;

/** The lightness of an RGBA picture of WIDTH × HEIGHT, one byte a pixel. */
export function grey(rgba) {
  const light = new Uint8Array(WIDTH * HEIGHT);
  for (let i = 0, at = 0; i < light.length; i++, at += 4) light[i] = (rgba[at] * 77 + rgba[at + 1] * 150 + rgba[at + 2] * 29) >> 8;
  return light;
}

/**
 * A sense of movement. `look(picture)`: whether something has moved since the picture before, or little by
 * little since `settle()` was last called. Light that changes everywhere alike is no movement.
 */
export function motionSense() {
  let before = null;
  let settled = null;
  let noise = 1;

  function look(picture) {
    if (!before) {
      before = settled = picture;
      return true;
    }
    const { shift, spread } = difference(picture, before);
    noise += LEARN * (Math.min(spread, 4 * noise) - noise);
    const moved = differs(picture, before, shift, limit());
    const crept = !moved && differs(picture, settled, difference(picture, settled).shift, limit());
    before = picture;
    return moved || crept;
  }

  const limit = () => Math.max(LEAST, NOISES * noise);

  return {
    look,
    settle: () => (settled = before),
    forget: () => (before = settled = null),
  };
}

// The median of the differences, and how far they lie from it: the lamp's doing, and the noise.
function difference(picture, other) {
  const counts = new Uint16Array(511);
  for (let i = 0; i < picture.length; i++) counts[picture[i] - other[i] + 255]++;
  const half = picture.length / 2;
  let shift = 0;
  for (let seen = counts[0]; seen < half; seen += counts[shift]) shift++;
  let reach = 0;
  for (let seen = counts[shift]; seen < half; ) {
    reach++;
    seen += (counts[shift + reach] ?? 0) + (counts[shift - reach] ?? 0);
  }
  return { shift: shift - 255, spread: SPREAD * (reach + 0.5) };
}

function differs(picture, other, shift, most) {
  const cells = new Uint8Array(ACROSS * (HEIGHT / CELL));
  for (let y = 0, i = 0; y < HEIGHT; y++) {
    const row = Math.floor(y / CELL) * ACROSS;
    for (let x = 0; x < WIDTH; x++, i++) {
      const off = picture[i] - other[i] - shift;
      if ((off > most || off < -most) && ++cells[row + Math.floor(x / CELL)] >= MOVED_IN_CELL) return true;
    }
  }
  return false;
}
