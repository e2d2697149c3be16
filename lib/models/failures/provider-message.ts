/** The fields in which providers put what they say, the most telling first. */
const WORD_FIELDS = [
  "message",
  "error",
  "detail",
  "details",
  "msg",
  "error_msg",
  "errorMessage",
  "error_message",
  "error_description",
  "errors",
  "status_msg",
  "reason",
  "description",
  "title",
  "base_resp",
  "text",
  "fault",
  "faultstring",
  "Error",
  "Message",
  "response",
  "body",
  "data",
];
const DEEPEST = 6;
/** Deeper, the values of fields of any name are no longer taken for words. */
const BELOW_GUESSES = 1;
const LONGEST_BODY = 20_000;

/** The provider's own words in a body or an error of any shape; empty if it says nothing. */
export function findMessage(said: unknown): string {
  return onOneLine(wordsIn(said, 0));
}

/** The same of an answer that need not be a complaint: only what stands in a field for words, in a page or as text. */
export function findStatedMessage(said: string): string {
  return onOneLine(wordsIn(said, BELOW_GUESSES));
}

function onOneLine(words: string): string {
  return words.replace(/\s+/g, " ").trim();
}

function wordsIn(said: unknown, depth: number): string {
  if (depth > DEEPEST) return "";
  if (typeof said === "string") return wordsInText(said.slice(0, LONGEST_BODY), depth);
  if (Array.isArray(said)) return listedMessages(said, depth);
  if (typeof said !== "object" || said === null) return "";
  const fields = said as Readonly<Record<string, unknown>>;
  const words = WORD_FIELDS.map((field) => wordsIn(fields[field], depth + 1)).find((found) => found !== "") ?? "";
  const raw = rawMessage(fields.metadata, depth);
  if (raw !== "" && !words.includes(raw)) return words === "" ? raw : `${words}: ${raw}`;
  if (words !== "") return withPlace(fields.loc, words);
  // A map of fields to complaints, as form validators answer.
  const complaints = Object.values(fields).filter((value) => typeof value === "string" || Array.isArray(value));
  return depth > BELOW_GUESSES ? "" : listedMessages(complaints, depth);
}

/** At most three: the first of many complaints is enough. */
function listedMessages(said: readonly unknown[], depth: number): string {
  return said
    .slice(0, 3)
    .map((entry) => wordsIn(entry, depth + 1))
    .filter((words) => words !== "")
    .join("; ");
}

/** What the server behind a gateway said (OpenRouter). */
function rawMessage(metadata: unknown, depth: number): string {
  if (typeof metadata !== "object" || metadata === null || !("raw" in metadata)) return "";
  return wordsIn(metadata.raw, depth + 1);
}

/** FastAPI names the field that it complains about. */
function withPlace(place: unknown, words: string): string {
  const names = Array.isArray(place) ? place.filter((part) => part !== "body").join(".") : "";
  return names === "" ? words : `${names}: ${words}`;
}

function wordsInText(text: string, depth: number): string {
  const trimmed = text.replace(/^\s*(?:data|error):/, "").trim();
  if (/^[[{"]/.test(trimmed)) {
    const value = parsed(trimmed);
    if (value !== undefined) return wordsIn(value, depth + 1) || (depth === 0 ? trimmed : "");
  }
  return /^\s*<(?:!doctype|html|head|body|\?xml|h1|p\b|center)/i.test(trimmed) ? wordsOfPage(trimmed) : trimmed;
}

/** Several events in a row: the first one. */
function parsed(text: string): unknown {
  for (const candidate of [text, text.split(/\r?\n/, 1)[0] ?? ""]) {
    try {
      return JSON.parse(candidate);
    } catch {
      // Not JSON: it is shown as it is.
    }
  }
  return undefined;
}

/** The title of a web page, otherwise the beginning of its text. */
function wordsOfPage(page: string): string {
  const title = /<title[^<>]*>([^<]*)/i.exec(page)?.[1]?.trim();
  if (title) return decoded(title);
  const text = page.replaceAll(/<(script|style)\b[^<>]*>[^<]*<\/\1>/gi, " ").replaceAll(/<[^<>]*>/g, " ");
  return decoded(text);
}

function decoded(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}
