import { expect, test } from "vitest";
import { ToolDisplay } from "@/lib/schema/tools/tool-display";
import { createTestWorkspace, readText } from "@/lib/testing/files/test-workspace";
import { fileTools } from "./file-tools";
import { type WrittenFile, workspaceFiles } from "./workspace-files";

const big = `${"0123456789".repeat(9)}\n`.repeat(12_000);

/** The file tools on a workspace with these files; `run` calls one as the loop does. */
function toolsOn(files: Record<string, string> = {}, execute?: Parameters<typeof createTestWorkspace>[1]) {
  const workspace = createTestWorkspace(files, execute);
  const written: WrittenFile[] = [];
  const shared = workspaceFiles(workspace, "/workspace", async (file) => void written.push(file));
  const tools = fileTools(shared, { timeoutMs: 1_000, maxOutputBytes: 60_000 });
  async function run(name: string, args: Record<string, unknown>) {
    const tool = tools.find((candidate) => candidate.name === name);
    const parsed = tool?.parse(args);
    if (!tool || !parsed) throw new Error(`no tool ${name}`);
    if (!parsed.ok) throw new Error(parsed.message);
    const execution = { signal: new AbortController().signal } as never;
    const result = await tool.execute(parsed.args, execution);
    if (typeof result === "string") return { output: result, display: null };
    if ("pending" in result || "refused" in result) throw new Error("a file tool waits for nobody");
    return { output: result.output, display: ToolDisplay.parse(result.display) };
  }
  return { tools, workspace, written, run };
}

test("a workspace that can run commands has seven tools, another has six", () => {
  const names = ["ls", "read_file", "write_file", "edit_file", "glob", "grep"];
  expect(toolsOn().tools.map((tool) => tool.name)).toEqual(names);
  expect(toolsOn({}, () => ({})).tools.map((tool) => tool.name)).toEqual([...names, "execute"]);
});

test("ls gives a JSON array of name, type and size", async () => {
  const { output, display } = await toolsOn({ "main.py": "hello", "src/a.ts": "" }).run("ls", { path: "." });
  expect(JSON.parse(output)).toEqual([
    { name: "main.py", type: "file", size: 5 },
    { name: "src", type: "dir", size: 0 },
  ]);
  expect(display).toMatchObject({ kind: "entries", path: "", omitted: 0 });
});

test.each(["a.txt", "/a.txt", "/workspace/a.txt", "./a.txt"])("%s names the same file", async (path) => {
  expect((await toolsOn({ "a.txt": "same" }).run("read_file", { path })).output).toBe("same");
});

test("a path out of the workspace is refused", async () => {
  await expect(toolsOn().run("read_file", { path: "../etc/passwd" })).rejects.toThrow('must not contain ".."');
});

test("half of a character in a path is refused", async () => {
  const { run, workspace } = toolsOn();
  await expect(run("write_file", { path: "a\ud800.txt", content: "x" })).rejects.toThrow("half of a character");
  expect(await workspace.list("")).toEqual([]);
});

test("read_file gives the text and nothing else", async () => {
  const { output, display } = await toolsOn({ "a.txt": "one\ntwo\n" }).run("read_file", { path: "a.txt" });
  expect(output).toBe("one\ntwo\n");
  expect(display).toMatchObject({ kind: "file-text", startLine: 1, endLine: 2, totalLines: 2, sizeBytes: 8 });
});

test("a page says where the next one begins", async () => {
  const { run } = toolsOn({ "a.txt": "1\n2\n3\n4\n" });
  const { output } = await run("read_file", { path: "a.txt", offset: 2, limit: 2 });
  expect(output).toBe("2\n3\n\n[Lines 2 to 3 of 4. Go on with offset 4.]");
  expect((await run("read_file", { path: "a.txt", offset: 4, limit: 9 })).output).toBe("4");
  await expect(run("read_file", { path: "a.txt", offset: 9 })).rejects.toThrow("has 4 lines");
});

test("a line that is too long for a page says how to read it", async () => {
  const { run } = toolsOn({ "data.json": `[\n${"x".repeat(1_000_001)}\n]` });
  const page = (limit: number) => run("read_file", { path: "data.json", offset: 2, limit });
  await expect(page(2)).rejects.toThrow("These lines have 1000003 characters. Ask for fewer with limit.");
  await expect(page(1)).rejects.toThrow(
    "Line 2 alone has 1000001 characters, too many for read_file. Search it with grep",
  );
});

test("a file over 1 MB says how to page, and can be paged", async () => {
  const { run } = toolsOn({ "big.log": big });
  await expect(run("read_file", { path: "big.log" })).rejects.toThrow("offset (first line, from 1) and limit");
  expect((await run("read_file", { path: "big.log", offset: 11_999, limit: 5 })).output.split("\n")).toHaveLength(2);
});

test("a binary file is refused with a clear text", async () => {
  const { run } = toolsOn({ "a.png": "\x89PNG\0\0" });
  await expect(run("read_file", { path: "a.png" })).rejects.toThrow("a.png is a binary file (7 bytes)");
  await expect(run("edit_file", { path: "a.png", old_text: "P", new_text: "Q" })).rejects.toThrow("binary");
});

test("write_file reports the bytes it wrote and makes folders", async () => {
  const { run, workspace, written } = toolsOn();
  const { output, display } = await run("write_file", { path: "src/hello.py", content: "print('hellö')" });
  expect(JSON.parse(output)).toEqual({
    path: "src/hello.py",
    bytes_written: 15,
    message: "File written: src/hello.py (15 bytes)",
  });
  expect(await readText(workspace, "src/hello.py")).toBe("print('hellö')");
  expect(written).toMatchObject([{ path: "src/hello.py", before: null }]);
  expect(display).toMatchObject({ kind: "file-change", operation: "created", addedLines: 1, removedLines: 0 });
});

test("a replaced file's card has a unified diff", async () => {
  const { display } = await toolsOn({ "a.txt": "one\ntwo\n" }).run("write_file", {
    path: "a.txt",
    content: "one\n2\n",
  });
  expect(display).toMatchObject({ operation: "changed", addedLines: 1, removedLines: 1 });
  expect(display).toMatchObject({ patch: expect.stringContaining("@@ -1,2 +1,2 @@\n one\n-two\n+2\n") });
});

test("a file that is too large to compare has no diff", async () => {
  const { display } = await toolsOn({ "a.txt": big }).run("write_file", { path: "a.txt", content: "x" });
  expect(display).toMatchObject({ operation: "changed", patch: null });
});

test("edit_file replaces the first occurrence only, exactly as written", async () => {
  const { run, workspace } = toolsOn({ "a.txt": "a $1 a" });
  const { output } = await run("edit_file", { path: "a.txt", old_text: "a", new_text: "$&" });
  expect(await readText(workspace, "a.txt")).toBe("$& $1 a");
  expect(JSON.parse(output)).toEqual({
    path: "a.txt",
    replacements: 1,
    message: "File edited: a.txt (1 replacement); 1 more occurrence unchanged",
  });
});

test("edit_file with replace_all replaces every occurrence", async () => {
  const { run, workspace } = toolsOn({ "a.txt": "a b a" });
  const { output } = await run("edit_file", { path: "a.txt", old_text: "a", new_text: "c", replace_all: true });
  expect(JSON.parse(output)).toMatchObject({ replacements: 2 });
  expect(await readText(workspace, "a.txt")).toBe("c b c");
});

test("text that is not there is reported and the file stays", async () => {
  const { run, written } = toolsOn({ "a.txt": "a" });
  await expect(run("edit_file", { path: "a.txt", old_text: "z", new_text: "y" })).rejects.toThrow(
    /^old_text not found in file$/,
  );
  await expect(run("edit_file", { path: "b.txt", old_text: "z", new_text: "y" })).rejects.toThrow(
    "There is no file b.txt",
  );
  expect(written).toEqual([]);
});

test("half of a character is not text of a file", async () => {
  const { run, workspace } = toolsOn({ "a.txt": "🦊" });
  await expect(run("edit_file", { path: "a.txt", old_text: "\ud83e", new_text: "" })).rejects.toThrow(
    "not found in file",
  );
  expect(await readText(workspace, "a.txt")).toBe("🦊");
});

test("edits of one file at the same time do not lose each other", async () => {
  const { run, workspace } = toolsOn({ "a.txt": "one two three" });
  const edit = (old_text: string) => run("edit_file", { path: "a.txt", old_text, new_text: old_text.toUpperCase() });
  await Promise.all([edit("one"), edit("two"), edit("three")]);
  expect(await readText(workspace, "a.txt")).toBe("ONE TWO THREE");
});

test("glob finds files by pattern and says when it stopped", async () => {
  const files = Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`src/f${index}.ts`, ""]));
  const { run } = toolsOn({ ...files, "readme.md": "" });
  const { files: found, truncated } = JSON.parse((await run("glob", { pattern: "**/*.ts" })).output);
  expect([found.length, truncated]).toEqual([100, true]);
  expect(JSON.parse((await run("glob", { pattern: "*.md" })).output)).toEqual({
    files: ["readme.md"],
    truncated: false,
  });
});

test("a pattern may begin with the folder that commands see", async () => {
  const { run } = toolsOn({ "src/a.ts": "here", "b.ts": "here" });
  const found = await run("glob", { pattern: "/workspace/src/*.ts" });
  expect(JSON.parse(found.output)).toEqual({ files: ["src/a.ts"], truncated: false });
  const lines = await run("grep", { pattern: "here", glob: "/workspace/src/**" });
  expect(JSON.parse(lines.output).matches).toEqual([{ file: "src/a.ts", line: 1, text: "here" }]);
});

test("grep gives file, line and text of each match", async () => {
  const { run } = toolsOn({ "main.py": "app = 1\n\n@get\ndef root():\n", "b.txt": "def x" });
  const { output, display } = await run("grep", { pattern: "^def \\w+", glob: "*.py" });
  expect(JSON.parse(output)).toEqual({
    matches: [{ file: "main.py", line: 4, text: "def root():" }],
    truncated: false,
  });
  expect(display).toMatchObject({ kind: "matches", pattern: "^def \\w+" });
});

test("grep can ignore case", async () => {
  const { run } = toolsOn({ "a.txt": "Hello" });
  expect(JSON.parse((await run("grep", { pattern: "hello" })).output).matches).toEqual([]);
  const found = JSON.parse((await run("grep", { pattern: "hello", case_sensitive: false })).output);
  expect(found.matches).toHaveLength(1);
});

test("execute reports exit code, output and why it was stopped", async () => {
  const { run } = toolsOn({}, () => ({ exitCode: null, output: "par\0t", stopped: "timeout", durationMs: 7 }));
  const { output, display } = await run("execute", { command: "sleep 9" });
  expect(JSON.parse(output)).toEqual({
    exit_code: null,
    output: "part",
    truncated: false,
    duration_ms: 7,
    stopped: "timeout",
  });
  expect(display).toMatchObject({ kind: "command", command: "sleep 9", stopped: "timeout", exitCode: null });
});
