import type { JsonObject } from "./event-reader";

const TEXT_FIELDS = ["text", "summary", "data"];

/** Joins the streamed pieces of `reasoning_details` (OpenRouter) into the entries that go back with the message. */
export class ReasoningDetails {
  readonly #entries: Record<string, unknown>[] = [];

  add(pieces: readonly JsonObject[]): void {
    for (const piece of pieces) {
      const known = this.#entries.find((entry) => isSame(entry, piece));
      if (known) append(known, piece);
      else this.#entries.push({ ...piece });
    }
  }

  joined(): readonly JsonObject[] {
    return this.#entries;
  }
}

/** Pieces with one index belong together, if they are of one type. */
function isSame(entry: JsonObject, piece: JsonObject): boolean {
  if (piece.index === undefined || entry.index !== piece.index || entry.type !== piece.type) return false;
  return (
    piece.id === undefined || piece.id === null || entry.id === undefined || entry.id === null || entry.id === piece.id
  );
}

function append(entry: Record<string, unknown>, piece: JsonObject): void {
  for (const [field, value] of Object.entries(piece)) {
    const known = entry[field];
    if (TEXT_FIELDS.includes(field) && typeof known === "string" && typeof value === "string") {
      entry[field] = known + value;
    } else if (value !== undefined && value !== null) entry[field] = value;
  }
}
