import { diffArrays } from "diff";

/** Lines `from` up to `to` of the text before, and their replacement. */
interface Edit {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

/** The comparison's time is quadratic in the differences. */
const TIMEOUT_MS = 300;

/**
 * `mine` with what `theirs` changed in `base`; null if both changed the same or adjacent lines, so that a person has to
 * choose.
 */
export function mergeTexts(base: string, mine: string, theirs: string): string | null {
  const [own, other] = [editsOf(base, mine), editsOf(base, theirs)];
  if (own === null || other === null) return null;
  const edits = [...own, ...other.filter((edit) => !own.some((same) => isSame(same, edit)))];
  edits.sort((left, right) => left.from - right.from || left.to - right.to);
  if (edits.some((edit, at) => at > 0 && edit.from <= (edits[at - 1]?.to ?? -1))) return null;
  const lines = base.split("\n");
  for (const { from, to, lines: others } of edits.toReversed()) lines.splice(from, to - from, ...others);
  return lines.join("\n");
}

function isSame(left: Edit, right: Edit): boolean {
  return left.from === right.from && left.to === right.to && left.lines.join("\n") === right.lines.join("\n");
}

function editsOf(before: string, after: string): Edit[] | null {
  const parts = diffArrays(before.split("\n"), after.split("\n"), { timeout: TIMEOUT_MS });
  if (!parts) return null;
  const edits: Edit[] = [];
  let at = 0;
  for (const { added, removed, count, value } of parts) {
    const next = added ? at : at + count;
    if (added || removed) addEdit(edits, { from: at, to: next, lines: added ? value : [] });
    at = next;
  }
  return edits;
}

/** A removal and an insertion at one place are one edit. */
function addEdit(edits: Edit[], edit: Edit): void {
  const last = edits.at(-1);
  if (last?.to !== edit.from) edits.push(edit);
  else edits[edits.length - 1] = { from: last.from, to: edit.to, lines: [...last.lines, ...edit.lines] };
}
