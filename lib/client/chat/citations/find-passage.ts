/** A passage of a page: what a sentence was taken from, and its surroundings. `marked` is empty if nothing fits. */
export interface Passage {
  readonly before: string;
  readonly marked: string;
  readonly after: string;
}

const AROUND_CHARS = 400;
/** A shorter run of words may match by chance. */
const FEWEST_WORDS = 3;
/** Each word of the page is compared with each place of the same word in the sentence. */
const MOST_WORDS = 200;
const MARKS = /^Between the two lines (\S+) is what the page says/mu;

/** The page's own text, from a result of `web_fetch`. */
export function pageText(output: string): string {
  const mark = MARKS.exec(output)?.[1];
  if (mark === undefined) return output;
  const start = output.indexOf(`\n${mark}\n`);
  if (start === -1) return output;
  const end = output.lastIndexOf(`\n${mark}`);
  return output.slice(start + mark.length + 2, end > start ? end : undefined);
}

/** The longest run of words that the sentence and the page share; quoted words are tried first. */
export function findPassage(page: string, sentence: string): Passage {
  const words = wordsOf(page);
  const quotes = [...sentence.matchAll(/["“«„]([^"”«»“„]{8,})["”»“]/gu)].map(([, quote = ""]) => quote);
  for (const candidate of [...quotes, sentence]) {
    const run = longestRun(words, wordsOf(candidate).slice(0, MOST_WORDS));
    const [first, last] = run ? [words[run.start], words[run.start + run.length - 1]] : [];
    if (first && last) return cut(page, first.at, last.at + last.text.length);
  }
  return { before: "", marked: "", after: page.slice(0, 2 * AROUND_CHARS) };
}

interface Word {
  readonly text: string;
  readonly at: number;
}

function wordsOf(text: string): Word[] {
  return [...text.matchAll(/[\p{L}\p{N}]+/gu)].map(({ 0: word, index }) => ({ text: word, at: index }));
}

function longestRun(page: readonly Word[], sentence: readonly Word[]): { start: number; length: number } | null {
  const places = new Map<string, number[]>();
  sentence.forEach(({ text }, index) => {
    const key = text.toLowerCase();
    const known = places.get(key);
    if (known) known.push(index);
    else places.set(key, [index]);
  });
  let best = { start: 0, length: 0 };
  // For each word of the sentence, the length of the run that ends there and at the page's previous word.
  let ending = new Map<number, number>();
  page.forEach(({ text }, index) => {
    const now = new Map<number, number>();
    for (const place of places.get(text.toLowerCase()) ?? []) {
      const length = (ending.get(place - 1) ?? 0) + 1;
      now.set(place, length);
      if (length > best.length) best = { start: index - length + 1, length };
    }
    ending = now;
  });
  return best.length >= FEWEST_WORDS ? best : null;
}

function cut(page: string, start: number, end: number): Passage {
  const from = Math.max(0, start - AROUND_CHARS);
  const to = Math.min(page.length, end + AROUND_CHARS);
  return {
    before: `${from > 0 ? "… " : ""}${page.slice(from, start).trimStart()}`,
    marked: page.slice(start, end),
    after: `${page.slice(end, to).trimEnd()}${to < page.length ? " …" : ""}`,
  };
}
