import { beforeEach, expect, test } from "vitest";
import { A_MOMENT_MS, type ContractTools, refusal } from "@/lib/testing/contracts/contract-tools";

export function describeGrep(tools: ContractTools): void {
  beforeEach(() =>
    tools.seed({
      "a.txt": "one\na needle here\r\nNEEDLE\nlast needle",
      "src/b.py": "needle = 1\n",
      "src/c.js": "// needle\n",
      "src-old/d.py": "# needle: 1\n",
      "node_modules/e.py": "needle",
      ".git/f.py": "needle",
      ".env": "needle=1",
      binary: "needle\0needle",
      "naïve 日本.txt": "eine needle — ümlaut\n",
    }),
  );

  test("gives file, line number and text, in the order of the tree", async () => {
    expect(await tools.lines({})).toEqual([
      ".env:1:needle=1",
      "a.txt:2:a needle here",
      "a.txt:4:last needle",
      "naïve 日本.txt:1:eine needle — ümlaut",
      "src/b.py:1:needle = 1",
      "src/c.js:1:// needle",
      "src-old/d.py:1:# needle: 1",
    ]);
  });

  test("ignores case when asked to", async () => {
    expect(await tools.lines({ path: "a.txt", caseSensitive: false })).toEqual([
      "a.txt:2:a needle here",
      "a.txt:3:NEEDLE",
      "a.txt:4:last needle",
    ]);
  });

  test("searches one folder, one file, or the files of a glob", async () => {
    expect(await tools.lines({ path: "src" })).toEqual(["src/b.py:1:needle = 1", "src/c.js:1:// needle"]);
    expect(await tools.lines({ path: "src/b.py" })).toEqual(["src/b.py:1:needle = 1"]);
    expect(await tools.lines({ glob: "*.py" })).toEqual(["src/b.py:1:needle = 1", "src-old/d.py:1:# needle: 1"]);
    expect(await tools.lines({ glob: "src/**/*.{js,ts}" })).toEqual(["src/c.js:1:// needle"]);
    expect(await tools.lines({ glob: "[!b].py", path: "" })).toEqual(["src-old/d.py:1:# needle: 1"]);
    expect(await tools.lines({ glob: ".git/*" })).toEqual([".git/f.py:1:needle"]);
    expect(await tools.lines({ path: "node_modules" })).toEqual(["node_modules/e.py:1:needle"]);
    expect(await refusal(tools.grep({ path: "missing" }))).toBe("not_found");
  });
}

/** Uses the files of `describeGrep`. */
export function describeExpressions(tools: ContractTools): void {
  test.each([
    "^needle$",
    "needle\\b.*1$",
    "\\bneedle\\s=",
    "(?:last|here)$",
    "[[:digit:]]$",
    "^-- |ümlaut$",
    "--",
    "n{1}e{2}",
  ])("the expression %s finds the same lines everywhere", async (pattern) => {
    const expected: Record<string, string[]> = {
      "^needle$": [],
      "needle\\b.*1$": [".env:1", "src/b.py:1", "src-old/d.py:1"],
      "\\bneedle\\s=": ["src/b.py:1"],
      "(?:last|here)$": ["a.txt:2"],
      "[[:digit:]]$": [".env:1", "src/b.py:1", "src-old/d.py:1"],
      "^-- |ümlaut$": ["naïve 日本.txt:1"],
      "--": [],
      "n{1}e{2}": [".env:1", "a.txt:2", "a.txt:4", "naïve 日本.txt:1", "src/b.py:1", "src/c.js:1", "src-old/d.py:1"],
    };
    const found = (await tools.grep({ pattern })).matches.map((match) => `${match.file}:${match.line}`);
    expect(found).toEqual(expected[pattern]);
  });

  test("a brace that only RE2 takes literally is found all the same", async () => {
    await tools.write("brace.ts", "interface A {\n}");
    expect(await tools.lines({ pattern: "interface \\w+ {" })).toEqual(["brace.ts:1:interface A {"]);
  });
}

export function describeGrepLimits(tools: ContractTools): void {
  test("more matches than the limit are cut, and said to be", async () => {
    await tools.write("many.txt", "hit\n".repeat(50));
    const { matches, truncated } = await tools.grep({ pattern: "^hit", limit: 7 });
    expect([matches.length, truncated, matches.at(-1)?.line]).toEqual([7, true, 7]);
    expect((await tools.grep({ pattern: "^hit", limit: 50 })).truncated).toBe(false);
  });

  test("a long line is cut", async () => {
    await tools.write("long.txt", `needle${"x".repeat(60_000)}`);
    expect((await tools.grep({ path: "", glob: "long.txt" })).matches[0]?.text).toHaveLength(501);
    await tools.write("foxes.txt", `needle ${"🦊".repeat(300)}`);
    expect((await tools.grep({ path: "", glob: "foxes.txt" })).matches[0]?.text.isWellFormed()).toBe(true);
  });

  test.each(["(", "(?=x)", "(a)\\1", "a".repeat(1_001)])(
    "the expression %.20s is refused with a reason",
    async (pattern) => {
      expect(await refusal(tools.grep({ pattern }))).toBe("invalid_pattern");
    },
  );

  test("an expression that would stop a backtracking engine takes no time", async () => {
    await tools.write("evil.txt", `${"a".repeat(5_000)}!`);
    const started = performance.now();
    expect(await tools.lines({ pattern: "^(a+)+$", glob: "evil.txt" })).toEqual([]);
    expect(performance.now() - started).toBeLessThan(A_MOMENT_MS);
  });
}
