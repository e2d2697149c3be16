import { diffArrays } from "diff";

/** A line and the version that added it. */
export interface BlamedLine {
  readonly text: string;
  readonly version: number;
}

const DIFF_TIMEOUT_MS = 500;

/**
 * The lines of `text`, the content of `version`: a line already in the previous version keeps its origin. If the
 * comparison takes more than 500 ms, every line counts as new.
 */
export function blameNext(before: readonly BlamedLine[], text: string, version: number): BlamedLine[] {
  const lines = splitLines(text);
  const parts = diffArrays(
    before.map((line) => line.text),
    lines,
    { timeout: DIFF_TIMEOUT_MS },
  );
  if (!parts) return lines.map((line) => ({ text: line, version }));
  let at = 0;
  return parts.flatMap(({ added, removed, count, value }) => {
    if (added) return value.map((line) => ({ text: line, version }));
    const kept = removed ? [] : before.slice(at, at + count);
    at += count;
    return kept;
  });
}

/** Omits the empty line that a final line break would create. */
function splitLines(text: string): string[] {
  if (text === "") return [];
  return text.replace(/\n$/, "").split("\n");
}
