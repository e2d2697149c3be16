import { beforeEach, expect, test } from "vitest";
import { A_MOMENT_MS, type ContractTools, refusal } from "@/lib/testing/contracts/contract-tools";

export function describeGlob(tools: ContractTools): void {
  beforeEach(() =>
    tools.seed({
      "main.py": "",
      "src/app.py": "",
      "src/app.test.py": "",
      "src/deep/er/x.py": "",
      "src/deep/y.js": "",
      "src-old/z.py": "",
      "node_modules/lib/index.py": "",
      ".git/hook.py": "",
      ".env": "",
      "docs/a,b.md": "",
    }),
  );

  test("a pattern without a slash matches names at any depth, in the order of the tree", async () => {
    expect(await tools.glob("*.py")).toEqual([
      "main.py",
      "src/app.py",
      "src/app.test.py",
      "src/deep/er/x.py",
      "src-old/z.py",
    ]);
  });

  test.each([
    ["src/*.py", ["src/app.py", "src/app.test.py"]],
    ["src/**/*.py", ["src/app.py", "src/app.test.py", "src/deep/er/x.py"]],
    ["**/x.py", ["src/deep/er/x.py"]],
    ["src/**", ["src/app.py", "src/app.test.py", "src/deep/er/x.py", "src/deep/y.js"]],
    ["/src/deep/*", ["src/deep/y.js"]],
    [".//src//deep/./*", ["src/deep/y.js"]],
    ["{main,app}.py", ["main.py", "src/app.py"]],
    ["src*/{z,app}.py", ["src/app.py", "src-old/z.py"]],
    ["[m-z]*.py", ["main.py", "src/deep/er/x.py", "src-old/z.py"]],
    ["[!mx]*.py", ["src/app.py", "src/app.test.py", "src-old/z.py"]],
    ["???.py", ["src/app.py"]],
    ["a,b.md", ["docs/a,b.md"]],
    [".env", [".env"]],
    ["main.p", []],
    ["no/such/*.py", []],
  ])("%s matches what it should", async (pattern, files) => {
    expect(await tools.glob(pattern)).toEqual(files);
  });
}

/** Uses the files of `describeGlob`. */
export function describeGlobLimits(tools: ContractTools): void {
  test("dot folders and node_modules are entered only when they are named", async () => {
    expect(await tools.glob("**/hook.py")).toEqual([]);
    expect(await tools.glob(".git/*.py")).toEqual([".git/hook.py"]);
    expect(await tools.glob("*.py", "node_modules")).toEqual(["node_modules/lib/index.py"]);
  });

  test("a folder to start from makes the pattern relative to it", async () => {
    expect(await tools.glob("deep/*.js", "src")).toEqual(["src/deep/y.js"]);
    expect(await refusal(tools.workspace.glob("*", "missing", 1))).toBe("not_found");
  });

  test("more files than the limit are cut, and said to be", async () => {
    expect(await tools.workspace.glob("*.py", "", 2)).toEqual({ files: ["main.py", "src/app.py"], truncated: true });
    expect(await tools.workspace.glob("*.js", "", 1)).toEqual({ files: ["src/deep/y.js"], truncated: false });
  });

  test("a pattern that would stop a backtracking engine takes no time", async () => {
    await tools.write("a".repeat(200), "");
    const started = performance.now();
    expect(await tools.glob(`${"*a".repeat(60)}b`)).toEqual([]);
    expect(performance.now() - started).toBeLessThan(A_MOMENT_MS);
  });

  test.each(["", "../*", "a\nb", "{a", "x".repeat(501)])(
    "%j is refused or literal, never an accident",
    async (pattern) => {
      expect(["invalid_pattern", "accepted"]).toContain(await refusal(tools.workspace.glob(pattern, "", 10)));
    },
  );
}
