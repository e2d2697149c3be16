import { type StdioOptions, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { countProcesses, createSandboxFixture } from "@/lib/testing/fixtures/sandbox-fixture";
import { requireMachine } from "@/lib/testing/setup/require-machine";
import { COMMAND_LIMITS } from "@/lib/workspaces/limits";
import { runProcess } from "./run-process";
import { sandboxCommand } from "./sandbox-command";
import { launcherEnvironment, SEARCH_PATH } from "./sandbox-launcher";
import { sandboxUid } from "./sandbox-uid";

const ready = requireMachine("linux", "bubblewrap", "python3");
const { base, remove, root, run, workspace } = await createSandboxFixture();

afterAll(remove);

/** The current duration of a command that does nothing: on a busy machine it may be seconds. */
const usualMs = async () => (await run("true")).durationMs;

/** A command line unique on this machine. */
const marker = (number: number) => `sleep 9876${number}.${process.pid}`;

describe.skipIf(!ready)("the end of a command", () => {
  test("comes with the time limit, for the whole tree, in two seconds", async () => {
    const daemons = `setsid nohup ${marker(1)} >/dev/null 2>&1 & (setsid ${marker(1)} &); trap '' TERM HUP; ${marker(1)}`;
    const result = await run(daemons, { timeoutMs: 700 });
    expect(result).toMatchObject({ stopped: "timeout", exitCode: null });
    expect(result.durationMs).toBeLessThan(2_700 + 5 * (await usualMs()));
    await expect.poll(() => countProcesses(marker(1))).toBe(0);
  });

  test("takes background processes along", async () => {
    const result = await run(`${marker(2)} & setsid nohup ${marker(2)} >/dev/null 2>&1 & echo started`);
    expect(result).toMatchObject({ output: "started\n", exitCode: 0 });
    expect(result.durationMs).toBeLessThan(5_000 + 5 * (await usualMs()));
    await expect.poll(() => countProcesses(marker(2))).toBe(0);
  });

  test("comes with a cancel", async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 200);
    const result = await run(marker(3), { signal: controller.signal });
    expect(result.stopped).toBe("cancelled");
    expect(result.durationMs).toBeLessThan(2_200 + 5 * (await usualMs()));
    await expect.poll(() => countProcesses(marker(3))).toBe(0);
  });

  test("comes before the start when the run is already cancelled", async () => {
    expect(await run("echo x > never", { signal: AbortSignal.abort() })).toMatchObject({
      stopped: "cancelled",
      output: "",
    });
    expect(await workspace().stat("never")).toBeNull();
  });

  test("comes when the server is killed", async () => {
    await workspace().write("a.txt", new Uint8Array());
    const argv = ["bash", "-c", `setsid ${marker(4)} & echo up; ${marker(4)}`];
    const command = { argv, workdir: "/workspace", uid: sandboxUid(root), network: false, memoryBytes: 2 ** 30 };
    const [program, ...args] = sandboxCommand({ ...command, limits: COMMAND_LIMITS });
    const stdio = ["ignore", "pipe", "pipe", "pipe"];
    const options = { cwd: root, env: launcherEnvironment("/workspace"), detached: true, stdio };
    const source = `require("child_process").spawn(${[program, args, options].map((x) => JSON.stringify(x)).join()}).stdout.pipe(process.stdout)`;
    const server = spawn("node", ["-e", source], { stdio: ["ignore", "pipe", "ignore"] });
    try {
      await once(server.stdout, "data");
      await expect.poll(() => countProcesses(marker(4))).toBeGreaterThan(0);
    } finally {
      server.kill("SIGKILL");
    }
    await expect.poll(() => countProcesses(marker(4))).toBe(0);
  });

  test("comes before the start when the server has died in the meantime", () => {
    const command = { argv: ["echo", "ran"], workdir: "/workspace", uid: sandboxUid(root), network: false };
    const [program = "", ...args] = sandboxCommand({ ...command, memoryBytes: 2 ** 30, limits: COMMAND_LIMITS });
    const env = launcherEnvironment("/workspace") as NodeJS.ProcessEnv;
    const leash = openSync("/dev/null", "r");
    const options = { cwd: root, env, detached: true, stdio: ["ignore", "pipe", "pipe", leash] as StdioOptions };
    const ended = spawnSync(program, args, options);
    closeSync(leash);
    expect(ended.stdout.toString()).toBe("");
    expect(ended.status).not.toBe(0);
  });

  test("is seen by processes that no signal reaches, as the end of their leash", async () => {
    const marked = join(root, "ended");
    const argv = ["bash", "-c", 'setsid bash -c "cat <&3; touch $1" left "$1"; true', "leader", marked];
    const limits = { timeoutMs: 300, maxOutputBytes: 100, stopOutputBytes: 100, signal: new AbortController().signal };
    const result = await runProcess({ argv, cwd: root, env: { PATH: SEARCH_PATH }, ...limits });
    expect(result.stopped).toBe("timeout");
    await expect.poll(() => existsSync(marked)).toBe(true);
  });

  test("leaves no mount behind", async () => {
    await run("true");
    expect(readFileSync("/proc/self/mounts", "utf8")).not.toContain(base);
  });
});

describe.skipIf(!ready)("what a command may use", () => {
  test("is bounded for a fork bomb", async () => {
    const result = await run(":(){ :|:& };:; sleep 1; echo survived", {
      timeoutMs: 4_000,
      commandLimits: { processes: 32 },
    });
    expect(result.durationMs).toBeLessThan(6_500 + 5 * (await usualMs()));
  });

  test("is bounded for the memory of one process", async () => {
    expect((await run('python3 -c "x=bytearray(3<<30)"')).output).toContain("MemoryError");
  });

  test("is bounded for the memory of many processes and of shared memory", async () => {
    const many = "for i in 1 2 3 4 5 6; do python3 -c 'import time; x=bytearray(60<<20); time.sleep(20)' & done; wait";
    expect(await run(many, { memoryMb: 128 })).toMatchObject({ stopped: "memory limit" });
    const shared =
      "python3 -c 'import mmap,time; m=mmap.mmap(-1,400<<20); [m.write(bytes(1<<20)) for i in range(400)]; time.sleep(20)'";
    expect(await run(shared, { memoryMb: 128 })).toMatchObject({ stopped: "memory limit" });
  });

  test.each([
    [
      "memfds",
      "import os\nfor i in range(8):\n  f=os.memfd_create(str(i))\n  for j in range(100): os.write(f, bytes(1<<20))",
    ],
    [
      "segments",
      "import ctypes\nc=ctypes.CDLL(None); c.shmat.restype=ctypes.c_void_p\nfor i in range(8):\n  a=c.shmat(c.shmget(0, 100<<20, 0o1600), None, 0); ctypes.memset(a, 1, 100<<20); c.shmdt(ctypes.c_void_p(a))",
    ],
  ])("is bounded for memory that is hidden in %s", async (_, source) => {
    const options = { memoryMb: 256, commandLimits: { temporaryBytes: 2 ** 20 } };
    expect(await run(`python3 -c '${source}\nimport time; time.sleep(20)'`, options)).toMatchObject({
      stopped: "memory limit",
    });
  });

  test("is enough for Node", async () => {
    const result = await run("node -e 'console.log(40 + 2)'");
    expect(result).toMatchObject({ output: "42\n", exitCode: 0 });
  });

  test("is bounded for one file", async () => {
    const { output } = await run("head -c 300M /dev/zero > big; stat -c %s big; rm -f big", {
      commandLimits: { fileBytes: 10 * 2 ** 20 },
    });
    expect(output).toContain("10485760");
  });

  test("is bounded for CPU time", { timeout: 70_000 }, async () => {
    const result = await run("while :; do :; done", { timeoutMs: 60_000, commandLimits: { cpuSeconds: 1 } });
    expect(result).toMatchObject({ exitCode: 137 });
    expect(result.stopped).toBeUndefined();
  });

  test("is bounded for output, which is cut and ended", async () => {
    const result = await run("yes");
    expect(result).toMatchObject({ truncated: true, stopped: "output limit" });
    expect(result.output.length).toBeLessThan(65_536 + 60);
    expect(result.durationMs).toBeLessThan(5_000 + 5 * (await usualMs()));
  });

  test("includes no input: a command that reads ends", async () => {
    expect((await run("cat; read x; echo done")).output).toBe("done\n");
  });
});

describe.skipIf(!ready)("the output of a command", () => {
  test("has stdout and stderr in the order they came", async () => {
    const { output } = await run("for i in 1 2 3; do echo out $i; echo err $i >&2; done");
    expect(output).toBe("out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\n");
  });

  test("can be written through /dev/stdout and /dev/stderr", async () => {
    expect((await run("echo a > /dev/stderr; echo b | tee /dev/stdout")).output).toBe("a\nb\nb\n");
  });

  test("is whole up to the last byte however fast the command ends", async () => {
    const result = await run("head -c 60000 /dev/zero | tr '\\0' x; echo end");
    expect(result.output).toBe(`${"x".repeat(60_000)}end\n`);
  });

  test("keeps its beginning and its end, where the error is, when it is too long", async () => {
    const { output, truncated } = await run("echo first; yes | head -c 10000; echo 'Error: last'", {
      maxOutputBytes: 1_000,
    });
    expect(truncated).toBe(true);
    expect(output.startsWith("first\ny\n")).toBe(true);
    expect(output).toContain("\n\n... (9018 bytes left out) ...\n\n");
    expect(output.endsWith("y\nError: last\n")).toBe(true);
  });

  test("keeps characters that arrive in pieces, and cuts none in two", async () => {
    const euro = "printf '\\342'; sleep 0.1; printf '\\202'; sleep 0.1; printf '\\254'";
    expect((await run(euro)).output).toBe("\u20ac");
    expect((await run("printf '\u20ac\u20ac\u20ac'", { maxOutputBytes: 7 })).output).toBe(
      "\u20ac\n\n... (2 bytes left out) ...\n\n\u20ac",
    );
    expect((await run("printf 'a\\377b'")).output).toBe("a\ufffdb");
  });
});
