import { diffArrays, diffWordsWithSpace } from "diff";

/** A stretch of a line; marked if the other text lacks it. */
interface RowPart {
  readonly text: string;
  readonly isMarked: boolean;
}

export interface PromptRow {
  readonly kind: " " | "+" | "-";
  readonly oldLine?: number;
  readonly newLine?: number;
  readonly parts: readonly RowPart[];
}

/** A line-by-line comparison of two texts, with the differing words marked in changed lines. */
export function promptRows(before: string, after: string): PromptRow[] {
  const rows: PromptRow[] = [];
  const at = { old: 1, new: 1 };
  let removed: readonly string[] = [];
  const blocks = diffArrays(before.split("\n"), after.split("\n"));
  for (const [index, { added, removed: isRemoved, value }] of blocks.entries()) {
    if (isRemoved && blocks[index + 1]?.added) removed = value;
    else if (added || isRemoved) {
      rows.push(...changedRows(isRemoved ? value : removed, added ? value : [], at));
      removed = [];
    } else {
      rows.push(
        ...value.map((text) => {
          return { kind: " ", oldLine: at.old++, newLine: at.new++, parts: [{ text, isMarked: false }] } as const;
        }),
      );
    }
  }
  return rows;
}

/** Lines that replaced others, compared word by word as one text. */
function changedRows(
  removed: readonly string[],
  added: readonly string[],
  at: { old: number; new: number },
): PromptRow[] {
  const words = diffWordsWithSpace(removed.join("\n"), added.join("\n"));
  const lines = (kind: "added" | "removed") => splitLines(words.filter((part) => !part[kind]));
  return [
    ...(removed.length === 0 ? [] : lines("added")).map((parts) => ({ kind: "-", oldLine: at.old++, parts }) as const),
    ...(added.length === 0 ? [] : lines("removed")).map((parts) => ({ kind: "+", newLine: at.new++, parts }) as const),
  ];
}

interface Word {
  readonly value: string;
  readonly added?: boolean;
  readonly removed?: boolean;
}

function splitLines(words: readonly Word[]): RowPart[][] {
  const lines: RowPart[][] = [[]];
  for (const { value, added, removed } of words) {
    for (const [index, text] of value.split("\n").entries()) {
      if (index > 0) lines.push([]);
      if (text !== "") lines.at(-1)?.push({ text, isMarked: added === true || removed === true });
    }
  }
  return lines;
}

/** Both texts side by side: a line and its replacement share a row. */
export function sideBySide(rows: readonly PromptRow[]): (readonly [PromptRow | null, PromptRow | null])[] {
  const pairs: (readonly [PromptRow | null, PromptRow | null])[] = [];
  let removed: PromptRow[] = [];
  let added: PromptRow[] = [];
  const flush = () => {
    for (let index = 0; index < Math.max(removed.length, added.length); index += 1) {
      pairs.push([removed[index] ?? null, added[index] ?? null]);
    }
    removed = [];
    added = [];
  };
  for (const row of rows) {
    if (row.kind === "-") removed.push(row);
    else if (row.kind === "+") added.push(row);
    else {
      flush();
      pairs.push([row, row]);
    }
  }
  flush();
  return pairs;
}
