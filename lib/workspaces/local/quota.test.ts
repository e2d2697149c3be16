import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { refusal } from "@/lib/testing/contracts/contract-tools";
import { createSandboxFixture } from "@/lib/testing/fixtures/sandbox-fixture";
import { requireMachine } from "@/lib/testing/setup/require-machine";
import { sandboxUid } from "@/lib/workspaces/sandbox/sandbox-uid";
import { createLocalRoot } from "./local-root";
import { measureUsage } from "./local-usage";

const ready = requireMachine("linux", "bubblewrap", "python3");
const { base, probe, remove, run, workspace } = await createSandboxFixture();
let count = 0;

afterAll(remove);

/** A new workspace with a quota of 4 MB. */
function small() {
  count += 1;
  return { root: join(base, "data", `small${count}`), limits: { quotaBytes: 4 * 2 ** 20 } };
}

/** Linux's `nobody` user. */
const NOBODY = 65_534;
const signal = new AbortController().signal;
const options = { timeoutMs: 20_000, maxOutputBytes: 10_000, signal };

describe.skipIf(!ready)("a workspace over its quota", () => {
  test("is reported to the model after the command that filled it, and can then only be emptied", async () => {
    const full = workspace(small());
    // On a slow machine the command is stopped midway.
    const filled = await full.execute?.("for i in 1 2 3 4 5 6; do head -c 1M /dev/zero > f$i; done", options);
    expect(filled?.notice).toContain("over its quota of 4 MB");
    const blocked = await full.execute?.("echo more > g; stat -c %s g; cp f1 f7; stat -c %s f7", options);
    expect(blocked?.output).toMatch(/File too large\n0\n(.*\n)+0\n$/);
    expect(await refusal(full.write("h", new Uint8Array(10)))).toBe("quota");
    expect((await full.execute?.("rm f* g && echo emptied", options))?.notice).toBeUndefined();
    expect(await refusal(full.write("h", new Uint8Array(10)))).toBe("accepted");
    expect((await full.execute?.("echo more > g; cat g", options))?.output).toBe("more\n");
  });

  test("is known at the first command of a new run", async () => {
    const settings = small();
    await workspace(settings).execute?.("for i in 1 2 3 4 5; do head -c 1M /dev/zero > f$i; done", options);
    expect((await workspace(settings).execute?.("echo x > y; stat -c %s y", options))?.output).toContain("0\n");
  });

  test("ends the command that is filling it", async () => {
    const result = await run("i=0; while :; do i=$((i+1)); head -c 4M /dev/zero > f$i; sleep 0.01; done", {
      ...small(),
      timeoutMs: 60_000,
    });
    expect(result).toMatchObject({ stopped: "quota", notice: expect.stringContaining("over its quota") });
    expect(result.durationMs).toBeLessThan(20_000);
  });

  test("ends a command that takes what the server itself needs of the disk, and says so", async () => {
    const limits = { reservedDiskBytes: 2 ** 60 };
    const result = await run("for i in $(seq 200); do head -c 4M /dev/zero > f$i; sleep 0.05; done", { limits });
    expect(result).toMatchObject({ stopped: "disk full", notice: expect.stringContaining("disk of the server") });
  });

  test("is measured by du when there are many files, with the same result", async () => {
    const { root } = small();
    await run("mkdir d; cd d; for i in $(seq 4500); do echo x > f$i; done", { root, limits: {} });
    const bytes = await measureUsage(createLocalRoot(root, sandboxUid(root)), { bytes: 2 ** 40, entries: 10 ** 9 });
    expect(bytes).toBeGreaterThan(4_500 * 5_000);
    const quota = { root, limits: { quotaBytes: Number(bytes) - 100_000 } };
    expect((await run("true", quota)).notice).toContain("over its quota");
    expect((await run("true", { root, limits: { quotaBytes: Number(bytes) + 1_000_000 } })).notice).toBeUndefined();
  });

  test("counts files whose names are not UTF-8", async () => {
    const fill = "for i in 1 2 3; do head -c 1M /dev/zero > $1/$2$i; done";
    const hide = `d=$(printf 'd\\377'); mkdir "$d"; fill() { ${fill}; }; fill "$d" f; fill . "$(printf 'f\\377')"`;
    expect((await run(hide, small())).notice).toContain("over its quota");
  });

  test("is not deceived by folders that are closed or nested without end", async () => {
    const closed = small();
    await run("mkdir -p d/e; for i in 1 2 3 4 5; do head -c 1M /dev/zero > d/e/f$i; done; chmod 000 d/e", closed);
    expect((await run("true", closed)).notice).toContain("over its quota");
    const nest =
      "import os\nfor i in range(2000):\n  os.mkdir('d'); os.chdir('d')\nopen('f', 'w').write('x' * 3 * 2 ** 20)";
    expect((await run(`python3 -c "${nest}"`, small())).notice).toContain("over its quota");
  });
});

test.skipIf(!requireMachine("linux"))(
  "a folder that its owner has closed is measured, also where root isn't",
  async () => {
    const path = mkdtempSync(join(tmpdir(), "ringmaster-closed-"));
    onTestFinished(() => rmSync(path, { recursive: true, force: true }));
    mkdirSync(join(path, "d/e"), { recursive: true });
    writeFileSync(join(path, "d/e/f"), "x".repeat(100_000));
    const asNobody = process.getuid?.() === 0;
    if (asNobody) for (const name of ["", "d", "d/e"]) chownSync(join(path, name), NOBODY, NOBODY);
    chmodSync(join(path, "d"), 0);
    if (asNobody) process.seteuid?.(NOBODY);
    try {
      const bytes = await measureUsage(createLocalRoot(path, null), { bytes: 2 ** 30, entries: 1_000 });
      expect(bytes).toBeGreaterThan(100_000);
    } finally {
      process.seteuid?.(process.getuid?.() ?? 0);
    }
  },
);

describe.skipIf(!ready)("a command that is meant to break things", () => {
  test("begins with a dash and is still a command", async () => {
    expect(await run("--version")).toMatchObject({ exitCode: 127 });
  });

  test("has a NUL or is longer than an argument may be, and is refused with a sentence", async () => {
    expect(await refusal(run("echo a\0b"))).toBe("failed");
    expect(await refusal(run(`echo ${"x".repeat(140_000)}`))).toBe("too_large");
    expect((await run(`echo ${"x".repeat(130_000)} | wc -c`)).output).toBe("130001\n");
  });

  test("locks the workspace's own folder, and the next one works", async () => {
    const settings = small();
    await run("chmod 000 /workspace", settings);
    expect((await run("echo back > a; cat a", settings)).output).toBe("back\n");
    await run("chmod 000 .", settings);
    expect((await workspace(settings).list("")).map((entry) => entry.name)).toEqual(["a"]);
  });

  test("moves its folder away, which it can't", async () => {
    expect((await run("mv /workspace /tmp/w || rmdir /workspace || echo kept")).output).toContain("kept");
  });

  test("leaves shell and tool settings for the next one, which ignores them", async () => {
    await run("echo 'echo HIJACKED' > .bashrc; cp .bashrc .profile; cp .bashrc .bash_env; echo --files > .ripgreprc");
    expect((await run("echo clean")).output).toBe("clean\n");
  });

  test("plants programs of ours in the workspace, which the launcher does not run", async () => {
    const settings = small();
    const names = "bwrap mount setpriv prlimit bash cat chmod unshare rg du";
    await run(`for n in ${names}; do printf '#!/bin/sh\\necho HIJACKED' > $n; chmod +x $n; done`, settings);
    expect((await run("echo clean", settings)).output).toBe("clean\n");
    const { matches } = await workspace(settings).grep({
      pattern: "HIJACKED",
      path: "",
      caseSensitive: true,
      limit: 99,
    });
    expect(matches).toHaveLength(10);
  });

  test("makes its output pipe full of control characters, which come out as they are", async () => {
    expect((await run("printf '\\033[2J\\r\\b\\0end'")).output).toBe("\u001b[2J\r\b\0end");
  });

  test("runs beside another one of the same workspace without disturbing it", async () => {
    const both = await Promise.all([
      run("echo a > x1; sleep 0.3; ls x1 x2"),
      run("echo b > x2; sleep 0.3; kill -9 -1; ls x1 x2"),
    ]);
    expect(both[0]?.output).toBe("x1\nx2\n");
  });

  test("makes a setuid program, which the host sees as its own user's", async () => {
    const settings = small();
    mkdirSync(settings.root, { recursive: true });
    await run("cp /usr/bin/id ./id; chmod 4755 id; ./id -u", settings);
    expect(statSync(join(settings.root, "id")).uid).toBe(sandboxUid(settings.root) ?? process.getuid?.());
    expect((await run("./id -u", settings)).output).toBe("1000\n");
  });

  test("asks for files of the machine through /proc and finds none", async () => {
    const { output } = await run(
      `cat /proc/*/root${base}/secret /proc/self/cwd/../..${base}/secret; ls /proc/*/cwd/..; ls -d /home`,
    );
    expect(output).not.toContain("TOPSECRET");
    expect(readFileSync(join(base, "secret"), "utf8")).toBe("TOPSECRET");
    expect(probe.available).toBe(true);
  });
});
