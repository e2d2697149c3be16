/** What a lock screen shows whole. */
const WHOLE_CHARACTERS = 120;

/** Invisible or direction-changing characters: a text with them may read as another call than it is. */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}]/gu;

export interface CallText {
  readonly text: string;
  /** The text is the whole call, as it would run: only then may it be allowed from a push. */
  readonly isWhole: boolean;
}

/** A call in one line: `execute: git push`, or the tool with its arguments as JSON. */
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

/** At most that many characters, the last of them `…` where something is missing. */
export function cut(text: string, characters: number): string {
  const all = [...text];
  return all.length <= characters ? text : `${all.slice(0, characters - 1).join("")}…`;
}
