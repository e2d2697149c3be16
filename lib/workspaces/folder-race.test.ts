import { type ChildProcess, spawn } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { Workspace } from "@/lib/agent/workspace";
import { refusal } from "@/lib/testing/contract-tools";
import { requireMachine } from "@/lib/testing/require-machine";
import { createLocalWorkspace } from "./local-workspace";

const base = fs.mkdtempSync(join(tmpdir(), "ringmaster-race-"));
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

describe.skipIf(!requireMachine("linux", "python3"))("another process that exchanges folders and links", () => {
  function exchange(left: string, right: string): ChildProcess {
    const source =
      "import ctypes, sys\nl = ctypes.CDLL(None)\na, b = (x.encode() for x in sys.argv[1:])\nwhile True: l.syscall(316, -100, a, -100, b, 2)";
    return spawn("/usr/bin/python3", ["-c", source, left, right], { stdio: "ignore" });
  }

  test("leads no read, write, listing, removal or search outside in 2.5 seconds", { timeout: 20_000 }, async () => {
    const entries = { secret: "inside", victim: "inside" };
    for (const [name, text] of Object.entries(entries)) await write(`real/${name}`, text);
    fs.writeFileSync(join(outside, "victim"), "TOPSECRET");
    fs.symlinkSync(outside, join(root, "evil"));
    const tally = { read: 0, refused: 0, leaks: [] as string[] };
    const attempt = async (action: () => Promise<string>) => {
      const seen = await action().catch(() => null);
      if (seen === null) tally.refused += 1;
      else if (seen.includes("TOPSECRET")) tally.leaks.push(seen);
      else tally.read += 1;
    };
    const swapper = exchange(join(root, "real"), join(root, "evil"));
    for (const end = Date.now() + 2_500; Date.now() < end; ) {
      await attempt(() => read("real/secret"));
      await attempt(async () => JSON.stringify((await workspace.grep({ ...search, path: "real" })).matches));
      await attempt(async () => ((await workspace.list("real")).some((entry) => entry.size === 9) ? "TOPSECRET" : ""));
      await attempt(() => write("real/made/by/write", "x").then(() => ""));
      await attempt(() => write("real/pwned", "x").then(() => ""));
      await attempt(() => workspace.remove("real/victim").then(() => ""));
    }
    swapper.kill("SIGKILL");
    expect(tally.leaks).toEqual([]);
    expect(fs.readdirSync(outside).sort()).toEqual(["secret", "victim"]);
    expect(tally.read).toBeGreaterThan(10);
    expect(tally.refused).toBeGreaterThan(10);
  });

  test("cannot put another folder in the root's place", async () => {
    await write("a", "mine");
    fs.renameSync(join(root, ".."), join(base, "moved"));
    fs.mkdirSync(join(base, "elsewhere", "workspace"), { recursive: true });
    fs.writeFileSync(join(base, "elsewhere", "workspace", "a"), "TOPSECRET");
    fs.symlinkSync(join(base, "elsewhere"), join(root, ".."));
    expect(await refusal(read("a"))).toBe("failed");
    expect(await refusal(write("a", "x"))).toBe("failed");
    fs.unlinkSync(join(root, ".."));
    expect(await refusal(workspace.list(""))).toBe("failed");
    expect(fs.readdirSync(join(base, "elsewhere", "workspace"))).toEqual(["a"]);
  });
});
