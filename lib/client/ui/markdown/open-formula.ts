/** How much of a text is held back for a formula whose end may never come. */
const MOST_HELD = 300;
const FENCE = /^ {0,3}(?:`{3,}|~{3,})/gmu;
/** Code, which has no formulas; or what begins one. */
const CODE_OR_OPENING = /(`+)|\\[([]|\\.|\$\$|\$(?=[^\s$])/gu;
/** A price, as far as one can tell before its sentence has ended. */
const PRICE = /^\$\d[\d.,]*(?:[^\d.,\w\\^_+=*/-]|$)/u;

/** Whether a text may have formulas. */
export function mayHaveMath(text: string): boolean {
  return /\$\$|\\[([]|\$[^\s\d$]|\$\d+[^\s\d.,;:!?)]/u.test(text);
}

/** A text that still grows, without the formula at its end that is not whole yet. */
export function withoutOpenFormula(text: string): string {
  const start = text.lastIndexOf("\n\n") + 1;
  const tail = text.slice(start);
  if (!/[$\\]/u.test(tail) || (text.match(FENCE)?.length ?? 0) % 2 === 1) return text;
  const opening = findOpen(tail);
  return opening === null || tail.length - opening > MOST_HELD ? text : text.slice(0, start + opening);
}

/** Where the first formula begins that has no end; null if all have one. */
function findOpen(tail: string): number | null {
  let readTo = 0;
  for (const { 0: mark, 1: ticks, index } of tail.matchAll(CODE_OR_OPENING)) {
    const closing = ticks ?? CLOSING[mark];
    const isInside = index < readTo;
    if (isInside || closing === undefined || (mark === "$" && PRICE.test(tail.slice(index)))) continue;
    const end = tail.indexOf(closing, index + mark.length);
    if (end === -1) return ticks === undefined ? index : null;
    readTo = end + closing.length;
  }
  return null;
}

const CLOSING: Readonly<Record<string, string>> = { $: "$", $$: "$$", "\\(": "\\)", "\\[": "\\]" };
