import type { Interrupt } from "@/lib/schema/runs/interrupt";

/** The length that a lock screen shows in full. */
const WHOLE_CHARACTERS = 120;

/** Invisible or direction-changing characters: a text with them may look like a different call. */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}]/gu;

export interface CallText {
  readonly text: string;
  /** The text is the whole call, as it would run: only then may the call be allowed from a push. */
  readonly isWhole: boolean;
}

/** A call on one line: `execute: git push`, or the tool with its arguments as JSON. */
export function callText(
  tool: string,
  args: Readonly<Record<string, unknown>>,
  characters = WHOLE_CHARACTERS,
): CallText {
  const [only, ...others] = Object.values(args);
  const isPlain = others.length === 0 && typeof only === "string" && !HIDDEN.test(only);
  HIDDEN.lastIndex = 0;
  const text = isPlain ? `${tool}: ${only}` : `${tool} ${JSON.stringify(args)}`;
  const shown = text.replace(HIDDEN, "");
  const isWhole = shown === text && [...text].length <= characters;
  return { text: isWhole ? text : cut(shown, characters), isWhole };
}

/** What a person is asked about a call, in the tool's own words where it has some. */
export function callQuestion({ tool, facts }: Pick<Interrupt, "tool" | "facts">): string {
  return facts?.question ?? `Allow ${tool}?`;
}

/** At most this many characters, ending with `…` if truncated. */
export function cut(text: string, characters: number): string {
  const all = [...text];
  return all.length <= characters ? text : `${all.slice(0, characters - 1).join("")}…`;
}
