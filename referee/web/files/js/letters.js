// How large a name can be written: by its longest word, which is not broken (css/base.css).

const STEPS = [6, 8, 10, 12, 14, 16, 18, 22, 28, 40];

const atLeast = (length, steps) => `letters-${steps.find((step) => length <= step) ?? steps.at(-1)}`;

/** The class of a text whose letters are to be as large as its longest word lets them. */
export const letters = (text) => atLeast(Math.max(...text.split(/[\s-]/u).map((word) => word.length)), STEPS);

/** The same for a text that is to stand in one line, unless that would make it too small to be read. */
export const lineOf = (text) => atLeast(text.length, STEPS.filter((step) => step <= 22));
