import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSandboxFixture } from "@/lib/testing/fixtures/sandbox-fixture";
import { requireMachine } from "@/lib/testing/setup/require-machine";
import { COMMAND_LIMITS } from "@/lib/workspaces/limits";
import { runInSandbox, type SandboxSettings } from "@/lib/workspaces/sandbox/sandbox";
import { sandboxUid } from "@/lib/workspaces/sandbox/sandbox-uid";
import { createLocalRoot } from "./local-root";
import { readRipgrep, ripgrepCommand } from "./ripgrep";

const ready = requireMachine("linux", "bubblewrap", "ripgrep");
const { remove, root, workspace } = await createSandboxFixture();
const settings: SandboxSettings = {
  mode: "bubblewrap",
  root: createLocalRoot(root, sandboxUid(root)),
  workdir: "/workspace",
  network: false,
  memoryBytes: 2 ** 30,
  limits: COMMAND_LIMITS,
};

afterAll(remove);

async function search(pattern: string, options: { glob?: string; folder?: string; maxOutputBytes?: number } = {}) {
  const { glob = null, folder = "", maxOutputBytes = 100_000 } = options;
  const argv = ripgrepCommand({ pattern, path: folder, caseSensitive: true, limit: 50 }, glob);
  const signal = new AbortController().signal;
  const limits = { timeoutMs: 10_000, maxOutputBytes, stopOutputBytes: maxOutputBytes, signal };
  return readRipgrep(await runInSandbox(settings, { argv, folder, readOnly: true, ...limits }), folder);
}

describe.skipIf(!ready)("ripgrep in the sandbox", () => {
  beforeAll(async () => {
    const files = {
      "a.py": "needle 1\n",
      "src/b.js": "x\nneedle 2\n",
      ".env": "needle 3\n",
      "node_modules/c.js": "needle",
    };
    for (const [path, text] of Object.entries(files)) await workspace().write(path, new TextEncoder().encode(text));
  });

  test("answers by itself, without reading a file here", async () => {
    expect((await search("needle"))?.items.map(({ file, line }) => `${file}:${line}`)).toEqual([
      ".env:1",
      "a.py:1",
      "src/b.js:2",
    ]);
    expect((await search("needle", { glob: "/src/*.js" }))?.items).toHaveLength(1);
    expect((await search("needle", { folder: "src" }))?.items[0]?.file).toBe("src/b.js");
    expect(await search("nothing")).toEqual({ items: [], truncated: false });
  });

  test("leaves what it does not understand to RE2", async () => {
    expect(await search("needle {")).toBeNull();
    expect(await search("needle", { glob: "{a" })).toBeNull();
  });

  test("says when its output was cut, and gives whole lines", async () => {
    const found = await search("needle", { maxOutputBytes: 30 });
    expect(found).toMatchObject({ truncated: true, items: [{ file: ".env", text: "needle 3" }, {}] });
  });

  test("takes a pattern that looks like an option as a pattern", async () => {
    expect(await search("--files")).toEqual({ items: [], truncated: false });
  });
});
