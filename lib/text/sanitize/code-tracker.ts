/** Follows text that arrives in pieces and knows whether its end stands in code. */
export interface CodeTracker {
  feed(text: string): void;
  /** In a fenced block, or behind a backtick on the same line that is still open. */
  readonly isInCode: boolean;
}

/** Enough of a line to tell a fence. */
const LONGEST_HEAD = 200;

export function codeTracker(): CodeTracker {
  /** The characters of the fence that is open. */
  let fence: string | null = null;
  let head = "";
  let backticks = 0;

  function feedLine(text: string): void {
    if (head.length < LONGEST_HEAD) head += text.slice(0, LONGEST_HEAD);
    for (let at = text.indexOf("`"); at >= 0; at = text.indexOf("`", at + 1)) backticks += 1;
  }
  function endLine(): void {
    const marks = /^ {0,3}(`{3,100}|~{3,100})(.*)$/.exec(head);
    const [, found = "", rest = ""] = marks ?? [];
    if (fence === null && marks && !(found.startsWith("`") && rest.includes("`"))) fence = found;
    else if (fence !== null && marks && found.startsWith(fence) && rest.trim() === "") fence = null;
    head = "";
    backticks = 0;
  }
  return {
    feed(text) {
      const last = text.lastIndexOf("\n");
      let from = 0;
      // Between its first and its last line end, a text without marks changes nothing.
      if (last > 0 && !/[`~]/.test(text)) {
        feedLine(text.slice(0, text.indexOf("\n")));
        endLine();
        from = last + 1;
      }
      for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
        feedLine(text.slice(from, end));
        endLine();
        from = end + 1;
      }
      feedLine(text.slice(from));
    },
    get isInCode() {
      return fence !== null || backticks % 2 === 1;
    },
  };
}
