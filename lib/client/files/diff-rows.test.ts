import { describe, expect, it } from "vitest";
import { diffRows, patchRows } from "./diff-rows";

describe("diff rows", () => {
  it("numbers both sides and marks the words that differ", () => {
    const rows = diffRows(
      "const a = 1;\nconst start = old(from);\n",
      "const a = 1;\nconst start = utcMidnight(from);\n",
    );
    expect(rows.map(({ kind, oldLine, newLine }) => [kind, oldLine, newLine])).toEqual([
      [" ", 1, 1],
      ["-", 2, undefined],
      ["+", undefined, 2],
    ]);
    const added = rows[2];
    expect(added?.text.slice(added.mark?.[0], added.mark?.[1])).toBe("utcMidnight");
  });

  it("shows the one instead of the other where they differ so much that comparing would take seconds", () => {
    const text = (word: string) =>
      Array.from({ length: 3000 }, (_, line) => (line % 10 === 0 ? "same" : `${word} ${line}`));
    const rows = diffRows(`${text("old").join("\n")}\n`, `${text("new").join("\n")}\n`);
    expect(rows.map(({ kind }) => kind).join("")).toBe(`${"-".repeat(3000)}${"+".repeat(3000)}`);
    expect([rows[2999]?.oldLine, rows[3000]?.newLine, rows[3001]?.text]).toEqual([3000, 1, "new 1"]);
  });

  it("does not mark lines that have nothing in common", () => {
    const rows = diffRows("alpha beta\n", "42\n");
    expect(rows.every((row) => row.mark === undefined)).toBe(true);
  });

  it("reads a unified patch with several hunks and skips its headers", () => {
    const patch =
      "--- a\n+++ b\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n@@ -10,1 +10,2 @@\n ten\n+eleven\n\\ No newline at end of file\n";
    expect(patchRows(patch).map(({ kind, text }) => `${kind}${text}`)).toEqual([
      " one",
      "-two",
      "+2",
      "@line 10",
      " ten",
      "+eleven",
    ]);
  });
});
