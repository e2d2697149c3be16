import { type ChildProcess, spawn } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { refusal } from "@/lib/testing/contracts/contract-tools";
import { localWorkspaceTests, SECRET_SEARCH } from "@/lib/testing/contracts/local-workspace-tests";
import { requireMachine } from "@/lib/testing/setup/require-machine";

const local = localWorkspaceTests();

describe.skipIf(!requireMachine("linux", "python3"))("another process that swaps folders and links", () => {
  function exchange(left: string, right: string): ChildProcess {
    const source =
      "import ctypes, sys\nl = ctypes.CDLL(None)\na, b = (x.encode() for x in sys.argv[1:])\nwhile True: l.syscall(316, -100, a, -100, b, 2)";
    return spawn("/usr/bin/python3", ["-c", source, left, right], { stdio: "ignore" });
  }

  test("leads no read, write, listing, removal or search outside in 2.5 seconds", async () => {
    const entries = { secret: "inside", victim: "inside" };
    for (const [name, text] of Object.entries(entries)) await local.write(`real/${name}`, text);
    fs.writeFileSync(join(local.outside, "victim"), "TOPSECRET");
    fs.symlinkSync(local.outside, join(local.root, "evil"));
    const tally = { read: 0, refused: 0, leaks: [] as string[] };
    const attempt = async (action: () => Promise<string>) => {
      const seen = await action().catch(() => null);
      if (seen === null) tally.refused += 1;
      else if (seen.includes("TOPSECRET")) tally.leaks.push(seen);
      else tally.read += 1;
    };
    const swapper = exchange(join(local.root, "real"), join(local.root, "evil"));
    // Runs longer on a busy machine: until both outcomes of the race have occurred often enough.
    for (const end = Date.now() + 2_500; Date.now() < end || Math.min(tally.read, tally.refused) <= 10; ) {
      await attempt(() => local.read("real/secret"));
      await attempt(async () =>
        JSON.stringify((await local.workspace.grep({ ...SECRET_SEARCH, path: "real" })).matches),
      );
      await attempt(async () =>
        (await local.workspace.list("real")).some((entry) => entry.size === 9) ? "TOPSECRET" : "",
      );
      await attempt(() => local.write("real/made/by/write", "x").then(() => ""));
      await attempt(() => local.write("real/pwned", "x").then(() => ""));
      await attempt(() => local.workspace.remove("real/victim").then(() => ""));
    }
    swapper.kill("SIGKILL");
    expect(tally.leaks).toEqual([]);
    expect(fs.readdirSync(local.outside).sort()).toEqual(["secret", "victim"]);
    expect(tally.read).toBeGreaterThan(10);
    expect(tally.refused).toBeGreaterThan(10);
  });

  test("cannot put another folder in the root's place", async () => {
    await local.write("a", "mine");
    const base = join(local.root, "..", "..");
    fs.renameSync(join(local.root, ".."), join(base, "moved"));
    fs.mkdirSync(join(base, "elsewhere", "workspace"), { recursive: true });
    fs.writeFileSync(join(base, "elsewhere", "workspace", "a"), "TOPSECRET");
    fs.symlinkSync(join(base, "elsewhere"), join(local.root, ".."));
    expect(await refusal(local.read("a"))).toBe("failed");
    expect(await refusal(local.write("a", "x"))).toBe("failed");
    fs.unlinkSync(join(local.root, ".."));
    expect(await refusal(local.workspace.list(""))).toBe("failed");
    expect(fs.readdirSync(join(base, "elsewhere", "workspace"))).toEqual(["a"]);
  });
});
