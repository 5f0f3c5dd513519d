// One hand from several readings of it: what was read surely twice is there.

const ENOUGH = 2;

/** How many of each card, as `Map(card → number)`. */
function counted(cards) {
  const found = new Map();
  for (const card of cards) found.set(card, (found.get(card) ?? 0) + 1);
  return found;
}

const common = (one, other) => [...one].reduce((sum, [card, number]) => sum + Math.min(number, other.get(card) ?? 0), 0);

/**
 * The hand from readings `[[{card, sure}]]`, the newest last, where it should have `count` cards (null: nobody
 * knows): `{cards, rest}`. `cards` were surely read in two readings; `rest` stand beside them in the reading
 * that most others agree with.
 */
export function merge(readings, count) {
  const sure = readings.map((items) => counted(items.filter((one) => one.sure).map((one) => one.card)));
  const certain = new Map();
  for (const card of new Set(sure.flatMap((one) => [...one.keys()]))) {
    const numbers = sure.map((one) => one.get(card) ?? 0).sort((a, b) => b - a);
    // As many copies as the second-best reading has.
    if ((numbers[ENOUGH - 1] ?? 0) > 0) certain.set(card, numbers[ENOUGH - 1]);
  }
  const best = agreed(readings);
  const total = [...certain.values()].reduce((sum, number) => sum + number, 0);
  // Cards that were seen one after the other add up; too many of them contradict each other.
  const kept = count !== null && total <= count ? certain : within(certain, best);
  return inOrder(best, kept);
}

// The reading that has most in common with the others, and least besides.
function agreed(readings) {
  const all = readings.map((items) => counted(items.map((one) => one.card)));
  const size = (one) => [...one.values()].reduce((sum, number) => sum + number, 0);
  let best = null;
  all.forEach((one, at) => {
    const score = all.reduce((sum, other, i) => (i === at ? sum : sum + 3 * common(one, other) - size(one) - size(other)), 0);
    if (!best || score >= best.score) best = { score, at };
  });
  return best ? readings[best.at] : [];
}

function within(certain, items) {
  const there = counted(items.map((one) => one.card));
  return new Map([...certain].map(([card, number]) => [card, Math.min(number, there.get(card) ?? 0)]));
}

// As they lie in that reading; then those that are not in it.
function inOrder(items, kept) {
  const left = new Map(kept);
  const take = (card) => (left.get(card) ? left.set(card, left.get(card) - 1) : false);
  const cards = [];
  const rest = [];
  for (const { card } of items) (take(card) ? cards : rest).push(card);
  for (const [card, number] of left) cards.push(...Array(number).fill(card));
  return { cards, rest };
}
