/** A longer citation says where it was cut: whoever cites rarely means all of a long text. */
const MOST_CHARACTERS = 4_000;

interface Citation {
  /** What it is and by whom: "Forwarded message from Bob". */
  readonly label: string;
  readonly text: string;
  readonly mostCharacters?: number;
}

/**
 * Someone else's text inside a person's message. Each line is marked, so that no line of it can pass for the person's own.
 */
export function citedText({ label, text, mostCharacters = MOST_CHARACTERS }: Citation): string {
  const shown = text.length > mostCharacters ? `${text.slice(0, mostCharacters)}\n… (cut)` : text;
  const lines = shown.split("\n").map((line) => `> ${line}`.trimEnd());
  return `[${onOneLine(label)}: cited, not a request]\n${lines.join("\n")}`;
}

/** A name from outside inside the brackets of a label. */
function onOneLine(label: string): string {
  return label
    .split(/[\s\p{C}]+/u)
    .join(" ")
    .replaceAll("[", "(")
    .replaceAll("]", ")")
    .slice(0, 300);
}
