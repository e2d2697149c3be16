import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { normalizePath, type Workspace } from "@/lib/agent/workspace";
import { refusal } from "@/lib/testing/contract-tools";
import { requireMachine } from "@/lib/testing/require-machine";
import { createLocalWorkspace } from "./local-workspace";

const base = fs.mkdtempSync(join(tmpdir(), "ringmaster-local-"));
const noSandbox = { available: false, reason: null, remedy: null, mode: null, ripgrep: false };
let count = 0;
let root: string;
let outside: string;
let workspace: Workspace;

beforeEach(() => {
  count += 1;
  root = join(base, String(count), "workspace");
  outside = join(base, String(count), "outside");
  fs.mkdirSync(root, { recursive: true });
  fs.mkdirSync(outside);
  fs.writeFileSync(join(outside, "secret"), "TOPSECRET");
  workspace = createLocalWorkspace({ root, sandbox: noSandbox });
});

afterAll(() => fs.rmSync(base, { recursive: true, force: true }));

const write = (path: string, text: string) => workspace.write(path, new TextEncoder().encode(text));
const read = async (path: string) => new TextDecoder().decode((await workspace.read(path, 1_000)).bytes);
const search = { pattern: "TOPSECRET", path: "", caseSensitive: true, limit: 10 };

describe("a path that a model gives", () => {
  test.each(["../secret", "/../secret", "a/../../secret", "..", "a\0b", "a\nb", "\u001b[2Ja"])(
    "%j is refused",
    (path) => {
      expect(() => normalizePath(path, "/workspace")).toThrow();
    },
  );

  test("is refused when a name or the whole is too long for a file system", () => {
    expect(() => normalizePath(`x/${"ü".repeat(128)}`, "/workspace")).toThrow("255 bytes");
    expect(() => normalizePath("x/".repeat(3_000), "/workspace")).toThrow("4,096 characters");
  });

  test.each([
    ["a.txt", "a.txt"],
    ["/a.txt", "a.txt"],
    ["/workspace/a.txt", "a.txt"],
    ["./a//b/.", "a/b"],
    ["/workspace", ""],
    ["/workspaces/a", "workspaces/a"],
    ["-rf", "-rf"],
  ])("%s names %s", (path, normal) => {
    expect(normalizePath(path, "/workspace")).toBe(normal);
  });
});

describe.skipIf(!requireMachine("linux"))("links", () => {
  beforeEach(() => {
    fs.symlinkSync(join(outside, "secret"), join(root, "file"));
    fs.symlinkSync(outside, join(root, "folder"));
    fs.symlinkSync("file", join(root, "chain"));
    fs.symlinkSync("/proc/self/environ", join(root, "environment"));
    fs.symlinkSync("/proc/self/cwd", join(root, "cwd"));
    fs.symlinkSync("loop", join(root, "loop"));
    fs.symlinkSync("nowhere", join(root, "dangling"));
  });

  test("are shown as links", async () => {
    expect(new Set((await workspace.list("")).map((entry) => entry.type))).toEqual(new Set(["link"]));
    expect(await workspace.stat("folder")).toEqual({ name: "folder", type: "link", size: 0 });
  });

  test.each(["file", "folder/secret", "chain", "environment", "cwd/package.json", "loop", "dangling"])(
    "%s is not read through",
    async (path) => {
      expect(await refusal(workspace.read(path, 100))).toBe("invalid_path");
    },
  );

  test("are not listed, looked at, written, removed or searched through", async () => {
    expect(await refusal(workspace.list("folder"))).toBe("invalid_path");
    expect(await refusal(workspace.stat("folder/secret"))).toBe("invalid_path");
    expect(await refusal(write("folder/new", "x"))).toBe("invalid_path");
    expect(await refusal(write("folder/new/deeper", "x"))).toBe("invalid_path");
    expect(await refusal(workspace.remove("folder/secret"))).toBe("invalid_path");
    expect(await refusal(workspace.glob("*", "folder", 10))).toBe("invalid_path");
    expect((await workspace.glob("folder/*", "", 10)).files).toEqual([]);
    expect((await workspace.glob("**", "", 10)).files).toEqual([]);
    expect((await workspace.grep(search)).matches).toEqual([]);
    expect(await refusal(workspace.grep({ ...search, path: "folder" }))).toBe("invalid_path");
    expect(await refusal(workspace.grep({ ...search, path: "file" }))).toBe("invalid_path");
    expect(fs.readdirSync(outside)).toEqual(["secret"]);
  });

  test("are replaced by a write and removed themselves", async () => {
    await write("file", "mine");
    expect(await read("file")).toBe("mine");
    await workspace.remove("chain");
    await workspace.remove("folder");
    await workspace.remove("dangling");
    expect(fs.readFileSync(join(outside, "secret"), "utf8")).toBe("TOPSECRET");
    expect(fs.readdirSync(root).sort()).toEqual(["cwd", "environment", "file", "loop"]);
  });

  test("a write to one name of a hard-linked file leaves the other name alone", async () => {
    fs.linkSync(join(outside, "secret"), join(root, "hard"));
    await write("hard", "mine");
    await workspace.remove("hard");
    expect(fs.readFileSync(join(outside, "secret"), "utf8")).toBe("TOPSECRET");
  });
});

describe.skipIf(!requireMachine("linux"))("what is no regular file", () => {
  test("a FIFO is refused at once, though nobody writes to it", async () => {
    execFileSync("mkfifo", [join(root, "pipe")]);
    expect(await refusal(workspace.read("pipe", 10))).toBe("not_a_file");
    expect((await workspace.grep(search)).matches).toEqual([]);
    await write("pipe", "now a file");
    expect(await read("pipe")).toBe("now a file");
  });

  test("a socket is refused", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(root, "socket"), resolve));
    expect(await refusal(workspace.read("socket", 10))).toBe("not_a_file");
    await new Promise((resolve) => server.close(resolve));
  });

  test.skipIf(!requireMachine("root"))("a device is refused and not opened", async () => {
    execFileSync("mknod", [join(root, "zero"), "c", "1", "5"]);
    expect(await refusal(workspace.read("zero", 10))).toBe("not_a_file");
  });
});

describe.skipIf(!requireMachine("linux"))("size and number", () => {
  test("a sparse file of 1 TB costs no more than what is asked for", async () => {
    fs.closeSync(fs.openSync(join(root, "sparse"), "w"));
    fs.truncateSync(join(root, "sparse"), 2 ** 40);
    const { bytes, sizeBytes } = await workspace.read("sparse", 1_000);
    expect([bytes.byteLength, sizeBytes]).toEqual([1_000, 2 ** 40]);
    expect((await workspace.read("sparse", Number.MAX_SAFE_INTEGER)).bytes.byteLength).toBe(10 * 2 ** 20);
    expect((await workspace.grep(search)).matches).toEqual([]);
  });

  test("a path of 400 folders can be written and read", async () => {
    const deep = `${"d/".repeat(400)}end`;
    await write(deep, "deep");
    expect(await read(deep)).toBe("deep");
    expect(await workspace.glob("end", "", 10)).toEqual({ files: [], truncated: true });
  });

  test("a search ends at its allowance of entries", async () => {
    for (let index = 0; index < 30; index += 1) await write(`f${index}`, "");
    const small = createLocalWorkspace({ root, sandbox: noSandbox, limits: { walkEntries: 10 } });
    expect(await small.glob("*", "", 100)).toMatchObject({ truncated: true });
    expect((await small.glob("*", "", 100)).files.length).toBeLessThanOrEqual(10);
  });

  test("a search of very many names lets other work run", async () => {
    const name = "ab".repeat(100);
    for (let index = 0; index < 3_000; index += 1) fs.writeFileSync(join(root, `${name}${index}`), "");
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    await workspace.glob(`${"*[ab]".repeat(80)}c`, "", 10);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(3);
  });

  test("empty files count for the quota", async () => {
    const small = createLocalWorkspace({ root, sandbox: noSandbox, limits: { quotaBytes: 10_240 } });
    for (let index = 0; index < 12; index += 1) fs.writeFileSync(join(root, `empty${index}`), "");
    expect(await refusal(small.write("a", new Uint8Array(1)))).toBe("quota");
  });

  test("a name with a line break is shown, and not found by a search", async () => {
    fs.writeFileSync(join(root, "a\nb"), "TOPSECRET");
    expect((await workspace.list("")).map((entry) => entry.name)).toEqual(["a\nb"]);
    expect((await workspace.glob("*", "", 10)).files).toEqual([]);
  });

  test("an executable file stays one when it is written, and no temporary file is left", async () => {
    fs.writeFileSync(join(root, "run.sh"), "", { mode: 0o755 });
    await write("run.sh", "#!/bin/sh");
    expect(fs.statSync(join(root, "run.sh")).mode & 0o777).toBe(0o755);
    expect(fs.readdirSync(root)).toEqual(["run.sh"]);
  });

  test("no descriptor stays open, whatever fails", async () => {
    const before = fs.readdirSync("/proc/self/fd").length;
    fs.symlinkSync(outside, join(root, "link"));
    for (let index = 0; index < 20; index += 1) {
      await write("a/b/c", "x");
      const paths = ["a/b/c/d", "a/x/y", "link/x", "a"];
      await Promise.all(paths.flatMap((path) => [refusal(workspace.read(path, 1)), refusal(workspace.list(path))]));
      await workspace.glob("*", "", 1);
    }
    expect(fs.readdirSync("/proc/self/fd").length).toBeLessThanOrEqual(before);
  });
});
