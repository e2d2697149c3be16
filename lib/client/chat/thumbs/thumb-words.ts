/** What can be wrong with a reply; the keys 1 to 6 choose them. */
export const THUMB_REASONS = [
  "Not true",
  "Incomplete",
  "Ignored my instructions",
  "Wrong tool or file",
  "Too long",
  "Something else",
] as const;

interface ThumbReason {
  readonly reasons: readonly string[];
  readonly note: string;
}

/** Kept as text: the reasons in a line, then the note. */
export function joinReason({ reasons, note }: ThumbReason): string {
  const chosen = THUMB_REASONS.filter((reason) => reasons.includes(reason));
  return [chosen.join(", "), note.trim()].filter((line) => line !== "").join("\n");
}

/** What was chosen and written; all of it is the note where the first line is no list of reasons. */
export function splitReason(why: string | null): ThumbReason {
  const [first = "", ...rest] = (why ?? "").split("\n");
  const reasons = first.split(", ");
  const known: readonly string[] = THUMB_REASONS;
  if (!reasons.every((reason) => known.includes(reason))) return { reasons: [], note: why ?? "" };
  return { reasons, note: rest.join("\n") };
}
