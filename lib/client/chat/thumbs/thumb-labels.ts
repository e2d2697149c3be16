/** Possible problems of a reply; keys 1 to 6 choose a reason. */
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

/** The stored text: the reasons in one line, then the note. */
export function joinReason({ reasons, note }: ThumbReason): string {
  const chosen = THUMB_REASONS.filter((reason) => reasons.includes(reason));
  return [chosen.join(", "), note.trim()].filter((line) => line !== "").join("\n");
}

/** The chosen reasons and the note; all of it is the note if the first line is not a list of reasons. */
export function splitReason(why: string | null): ThumbReason {
  const [first = "", ...rest] = (why ?? "").split("\n");
  const reasons = first.split(", ");
  const known: readonly string[] = THUMB_REASONS;
  if (!reasons.every((reason) => known.includes(reason))) return { reasons: [], note: why ?? "" };
  return { reasons, note: rest.join("\n") };
}
