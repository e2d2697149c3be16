/** Around JSON that is the answer stand only fences, the language of the fence and an introduction. */
const AROUND = /^(?:[\s`~*_.,;!]|json|JSON)*$/;
const FIELDS = ["title", "name", "thread_title", "threadtitle", "subject", "topic", "result", "answer", "output"];
/** What holds the title in a call, and in an answer that is written as its own schema. */
const WRAPPING = ["arguments", "parameters", "properties"];
/** The field in something that looks like JSON and is none: cut off, or with the quotation marks of Python. */
const BROKEN =
  /^[\s`]{0,9}(?:json\s{0,9})?\{\s{0,9}["'](?:thread_)?title["']\s{0,9}:\s{0,9}(?:"([^"\n]{1,200})"|'([^'\n]{1,200})')/i;

/** The title in an answer that is JSON, or JSON behind an introduction; null if the answer is something else. */
export function titleInJson(text: string): string | null {
  const broken = BROKEN.exec(text);
  return titleBetween(text, "{", "}") ?? titleBetween(text, "[", "]") ?? broken?.[1] ?? broken?.[2] ?? null;
}

function titleBetween(text: string, opening: string, closing: string): string | null {
  const begin = text.indexOf(opening);
  const end = text.lastIndexOf(closing);
  if (begin < 0 || end <= begin) return null;
  const before = text.slice(0, begin);
  const introduction = before.slice(0, Math.max(before.lastIndexOf("\n"), before.lastIndexOf(":")) + 1);
  const isAll = AROUND.test(before.slice(introduction.length)) && AROUND.test(firstLine(text.slice(end + 1)));
  return isAll ? titleOf(readJson(text.slice(begin, end + 1)), 0) : null;
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}

function titleOf(value: unknown, depth: number): string | null {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null || depth > 3) return null;
  if (Array.isArray(value)) return titleOf(value[0], depth + 1);
  const entries = Object.entries(value).map(([name, given]) => [name.toLowerCase(), given] as const);
  for (const field of entries.some(([name]) => WRAPPING.includes(name)) ? WRAPPING : FIELDS) {
    const found = titleOf(entries.find(([name]) => name === field)?.[1], depth + 1);
    if (found !== null) return found;
  }
  return entries.length === 1 ? titleOf(entries[0]?.[1], depth + 1) : null;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
