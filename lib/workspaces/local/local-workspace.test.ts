import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { normalizePath } from "@/lib/agent/workspace/workspace";
import { refusal } from "@/lib/testing/contracts/contract-tools";
import { localWorkspaceTests, NO_SANDBOX, SECRET_SEARCH } from "@/lib/testing/contracts/local-workspace-tests";
import { requireMachine } from "@/lib/testing/setup/require-machine";
import { createLocalWorkspace } from "./local-workspace";

const local = localWorkspaceTests();

describe("a path that a model gives", () => {
  test.each(["../secret", "/../secret", "a/../../secret", "..", "a\0b", "a\nb", "\u001b[2Ja"])(
    "%j is refused",
    (path) => {
      expect(() => normalizePath(path, "/workspace")).toThrow();
    },
  );

  test("is refused when a name or the whole is too long for a file system", () => {
    expect(() => normalizePath(`x/${"ü".repeat(128)}`, "/workspace")).toThrow("255 bytes");
    expect(() => normalizePath("x".repeat(1_025), "/workspace")).toThrow("1,024 characters");
    expect(() => normalizePath("x/".repeat(65), "/workspace")).toThrow("64 folders");
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
    fs.symlinkSync(join(local.outside, "secret"), join(local.root, "file"));
    fs.symlinkSync(local.outside, join(local.root, "folder"));
    fs.symlinkSync("file", join(local.root, "chain"));
    fs.symlinkSync("/proc/self/environ", join(local.root, "environment"));
    fs.symlinkSync("/proc/self/cwd", join(local.root, "cwd"));
    fs.symlinkSync("loop", join(local.root, "loop"));
    fs.symlinkSync("nowhere", join(local.root, "dangling"));
  });

  test("are shown as links", async () => {
    expect(new Set((await local.workspace.list("")).map((entry) => entry.type))).toEqual(new Set(["link"]));
    expect(await local.workspace.stat("folder")).toEqual({ name: "folder", type: "link", size: 0 });
  });

  test.each(["file", "folder/secret", "chain", "environment", "cwd/package.json", "loop", "dangling"])(
    "%s is not read through",
    async (path) => {
      expect(await refusal(local.workspace.read(path, 100))).toBe("invalid_path");
    },
  );

  test("are not listed, looked at, written, removed or searched through", async () => {
    expect(await refusal(local.workspace.list("folder"))).toBe("invalid_path");
    expect(await refusal(local.workspace.stat("folder/secret"))).toBe("invalid_path");
    expect(await refusal(local.write("folder/new", "x"))).toBe("invalid_path");
    expect(await refusal(local.write("folder/new/deeper", "x"))).toBe("invalid_path");
    expect(await refusal(local.workspace.remove("folder/secret"))).toBe("invalid_path");
    expect(await refusal(local.workspace.glob("*", "folder", 10))).toBe("invalid_path");
    expect((await local.workspace.glob("folder/*", "", 10)).files).toEqual([]);
    expect((await local.workspace.glob("**", "", 10)).files).toEqual([]);
    expect((await local.workspace.grep(SECRET_SEARCH)).matches).toEqual([]);
    expect(await refusal(local.workspace.grep({ ...SECRET_SEARCH, path: "folder" }))).toBe("invalid_path");
    expect(await refusal(local.workspace.grep({ ...SECRET_SEARCH, path: "file" }))).toBe("invalid_path");
    expect(fs.readdirSync(local.outside)).toEqual(["secret"]);
  });

  test("are replaced by a write and removed themselves", async () => {
    await local.write("file", "mine");
    expect(await local.read("file")).toBe("mine");
    await local.workspace.remove("chain");
    await local.workspace.remove("folder");
    await local.workspace.remove("dangling");
    expect(fs.readFileSync(join(local.outside, "secret"), "utf8")).toBe("TOPSECRET");
    expect(fs.readdirSync(local.root).sort()).toEqual(["cwd", "environment", "file", "loop"]);
  });

  test("a write to one name of a hard-linked file leaves the other name alone", async () => {
    fs.linkSync(join(local.outside, "secret"), join(local.root, "hard"));
    await local.write("hard", "mine");
    await local.workspace.remove("hard");
    expect(fs.readFileSync(join(local.outside, "secret"), "utf8")).toBe("TOPSECRET");
  });
});

describe.skipIf(!requireMachine("linux"))("a path that is not a regular file", () => {
  test("a FIFO is refused at once, though nobody writes to it", async () => {
    execFileSync("mkfifo", [join(local.root, "pipe")]);
    expect(await refusal(local.workspace.read("pipe", 10))).toBe("not_a_file");
    expect((await local.workspace.grep(SECRET_SEARCH)).matches).toEqual([]);
    expect(await local.workspace.stat("pipe")).toBeNull();
    expect(await local.workspace.list("")).not.toContainEqual(expect.objectContaining({ name: "pipe" }));
    await local.write("pipe", "now a file");
    expect(await local.read("pipe")).toBe("now a file");
  });

  test("a socket is refused", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(local.root, "socket"), resolve));
    expect(await refusal(local.workspace.read("socket", 10))).toBe("not_a_file");
    expect(await local.workspace.stat("socket")).toBeNull();
    await new Promise((resolve) => server.close(resolve));
  });

  test.skipIf(!requireMachine("root"))("a device is refused and not opened", async () => {
    execFileSync("mknod", [join(local.root, "zero"), "c", "1", "5"]);
    expect(await refusal(local.workspace.read("zero", 10))).toBe("not_a_file");
    expect(await local.workspace.stat("zero")).toBeNull();
  });
});

describe.skipIf(!requireMachine("linux"))("a new folder", () => {
  test("has its parents, and keeps its content when it is created again", async () => {
    await local.workspace.makeFolder?.("a/b");
    await local.write("a/b/c", "x");
    await local.workspace.makeFolder?.("a/b");
    expect(await local.workspace.list("a/b")).toEqual([{ name: "c", type: "file", size: 1 }]);
  });

  test("is refused where a file or a link exists, and nothing is created outside", async () => {
    await local.write("file", "x");
    fs.symlinkSync(local.outside, join(local.root, "link"));
    const attempts = ["file", "link", "link/new"].map(async (path) => refusal(makeFolder(path)));
    expect(await Promise.all(attempts)).toEqual(["not_a_folder", "invalid_path", "invalid_path"]);
    expect(fs.readdirSync(local.outside)).toEqual(["secret"]);
  });

  const makeFolder = async (path: string) => local.workspace.makeFolder?.(path);
});

describe.skipIf(!requireMachine("linux"))("size and number", () => {
  test("a sparse file of 1 TB costs no more than what is asked for", async () => {
    fs.closeSync(fs.openSync(join(local.root, "sparse"), "w"));
    fs.truncateSync(join(local.root, "sparse"), 2 ** 40);
    const { bytes, sizeBytes } = await local.workspace.read("sparse", 1_000);
    expect([bytes.byteLength, sizeBytes]).toEqual([1_000, 2 ** 40]);
    expect((await local.workspace.read("sparse", Number.MAX_SAFE_INTEGER)).bytes.byteLength).toBe(32 * 2 ** 20);
    expect((await local.workspace.grep(SECRET_SEARCH)).matches).toEqual([]);
  });

  test("a path of 400 folders can be written and read", async () => {
    const deep = `${"d/".repeat(400)}end`;
    await local.write(deep, "deep");
    expect(await local.read(deep)).toBe("deep");
    expect(await local.workspace.glob("end", "", 10)).toEqual({ files: [], truncated: true });
  });

  test("a path of 500 folders leaves the workspace usable, and what is down there counts", async () => {
    await local.write(`${"d/".repeat(500)}end`, "x".repeat(100_000));
    await local.write(`${"d/".repeat(300)}side/end`, "x".repeat(100_000));
    const limits = { quotaBytes: 1_000_000 };
    const again = createLocalWorkspace({ root: local.root, sandbox: NO_SANDBOX, limits });
    expect(await refusal(again.write("a.txt", new Uint8Array(10)))).toBe("accepted");
    expect(await refusal(again.write("b.txt", new Uint8Array(300_000)))).toBe("quota");
    expect(await refusal(again.write("c.txt", new Uint8Array(200_000)))).toBe("accepted");
  });

  test("a search leaves out paths that no file tool takes, so that no pattern is tried on kilobytes of them", async () => {
    const deep = `${`${"n".repeat(200)}/`.repeat(10)}end.txt`;
    await local.write(deep, "needle");
    await local.write("near/end.txt", "needle");
    expect(await local.workspace.glob("**/*.txt", "", 10)).toEqual({ files: ["near/end.txt"], truncated: true });
    const { matches } = await local.workspace.grep({ pattern: "needle", path: "", caseSensitive: true, limit: 10 });
    expect(matches.map(({ file }) => file)).toEqual(["near/end.txt"]);
  });

  test("a search ends at its allowance of entries", async () => {
    for (let index = 0; index < 30; index += 1) await local.write(`f${index}`, "");
    const small = createLocalWorkspace({ root: local.root, sandbox: NO_SANDBOX, limits: { walkEntries: 10 } });
    expect(await small.glob("*", "", 100)).toMatchObject({ truncated: true });
    expect((await small.glob("*", "", 100)).files.length).toBeLessThanOrEqual(10);
  });

  test("a search of very many names lets other work run", async () => {
    const name = "ab".repeat(100);
    for (let index = 0; index < 3_000; index += 1) fs.writeFileSync(join(local.root, `${name}${index}`), "");
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    await local.workspace.glob(`${"*[ab]".repeat(80)}c`, "", 10);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(3);
  });

  test("empty files count for the quota", async () => {
    const small = createLocalWorkspace({ root: local.root, sandbox: NO_SANDBOX, limits: { quotaBytes: 10_240 } });
    for (let index = 0; index < 12; index += 1) fs.writeFileSync(join(local.root, `empty${index}`), "");
    expect(await refusal(small.write("a", new Uint8Array(1)))).toBe("quota");
  });

  test("a name with a line break is shown, and not found by a search", async () => {
    fs.writeFileSync(join(local.root, "a\nb"), "TOPSECRET");
    expect((await local.workspace.list("")).map((entry) => entry.name)).toEqual(["a\nb"]);
    expect((await local.workspace.glob("*", "", 10)).files).toEqual([]);
  });

  test("an executable file stays one when it is written, and no temporary file is left", async () => {
    fs.writeFileSync(join(local.root, "run.sh"), "", { mode: 0o755 });
    await local.write("run.sh", "#!/bin/sh");
    expect(fs.statSync(join(local.root, "run.sh")).mode & 0o777).toBe(0o755);
    expect(fs.readdirSync(local.root)).toEqual(["run.sh"]);
  });

  test("no descriptor stays open, whatever fails", async () => {
    const before = fs.readdirSync("/proc/self/fd").length;
    fs.symlinkSync(local.outside, join(local.root, "link"));
    for (let index = 0; index < 20; index += 1) {
      await local.write("a/b/c", "x");
      const paths = ["a/b/c/d", "a/x/y", "link/x", "a"];
      await Promise.all(
        paths.flatMap((path) => [refusal(local.workspace.read(path, 1)), refusal(local.workspace.list(path))]),
      );
      await local.workspace.glob("*", "", 1);
    }
    expect(fs.readdirSync("/proc/self/fd").length).toBeLessThanOrEqual(before);
  });
});
