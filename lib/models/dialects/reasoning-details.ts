import type { JsonObject } from "./event-reader";

const TEXT_FIELDS = ["text", "summary", "data"];
/** So much of a text is not repeated by chance at the beginning of its next piece. */
const SURELY_REPEATED_CHARS = 16;

/** An entry, and the pieces of each of its texts. */
interface Entry {
  readonly fields: Record<string, unknown>;
  readonly pieces: Map<string, string[]>;
}

/** Joins the streamed pieces of `reasoning_details` (OpenRouter) into the entries that go back with the message. */
export class ReasoningDetails {
  readonly #entries: Entry[] = [];

  add(pieces: readonly JsonObject[]): void {
    for (const piece of pieces) {
      const known = this.#entries.find(({ fields }) => isSame(fields, piece));
      if (known) append(known, piece);
      else this.#entries.push({ fields: { ...piece }, pieces: textsOf(piece) });
    }
  }

  joined(): readonly JsonObject[] {
    return this.#entries.map(({ fields, pieces }) => ({
      ...fields,
      ...Object.fromEntries([...pieces].map(([name, texts]) => [name, joinedText(texts)])),
    }));
  }
}

/** Pieces with one index belong together, if they are of one type. */
function isSame(entry: JsonObject, piece: JsonObject): boolean {
  if (piece.index === undefined || entry.index !== piece.index || entry.type !== piece.type) return false;
  return (
    piece.id === undefined || piece.id === null || entry.id === undefined || entry.id === null || entry.id === piece.id
  );
}

function textsOf(piece: JsonObject): Map<string, string[]> {
  const texts = TEXT_FIELDS.filter((field) => typeof piece[field] === "string");
  return new Map(texts.map((field) => [field, [String(piece[field])]]));
}

function append({ fields, pieces }: Entry, piece: JsonObject): void {
  for (const [field, value] of Object.entries(piece)) {
    const isText = TEXT_FIELDS.includes(field) && typeof value === "string";
    const known = isText ? pieces.get(field) : undefined;
    if (known) known.push(String(value));
    else if (isText) pieces.set(field, [value]);
    else if (value !== undefined && value !== null) fields[field] = value;
  }
}

/** The pieces in order, or the last one if each of them is the whole text so far (MiniMax). */
function joinedText(pieces: readonly string[]): string {
  const spoken = pieces.filter((piece) => piece !== "");
  const repeats = spoken.slice(1).every((piece, at) => piece.startsWith(spoken[at] ?? ""));
  const isCertain = spoken.length > 2 || (spoken[0]?.length ?? 0) >= SURELY_REPEATED_CHARS;
  const isSnapshot = repeats && isCertain && spoken.at(-1) !== spoken[0];
  return isSnapshot ? (spoken.at(-1) ?? "") : pieces.join("");
}
