import { describe, expect, test } from "vitest";
import { countProcesses, type SandboxFixture } from "@/lib/testing/fixtures/sandbox-fixture";

/** A command line unique on this machine. */
const marker = (number: number) => `sleep 9876${number}.${process.pid}`;

type Running = Pick<SandboxFixture, "run" | "workspace">;

/** The current duration of a command that does nothing: on a busy machine it may be seconds. */
const usual = async ({ run }: Pick<Running, "run">) => (await run("true")).durationMs;

/** How commands end, what they may use and what is kept of their output, in any sandbox. */
export function describeExecution(fixture: SandboxFixture): void {
  describe("the end of a command", () => testEnds(fixture));
  describe("what a command may use", () => testLimits(fixture));
  describe("the output of a command", () => testOutput(fixture));
}

function testEnds({ run, workspace }: Running): void {
  test("comes with the time limit, for the whole tree, in two seconds", async () => {
    const daemons = `setsid nohup ${marker(1)} >/dev/null 2>&1 & (setsid ${marker(1)} &); trap '' TERM HUP; ${marker(1)}`;
    const result = await run(daemons, { timeoutMs: 700 });
    expect(result).toMatchObject({ stopped: "timeout", exitCode: null });
    expect(result.durationMs).toBeLessThan(2_700 + 5 * (await usual({ run })));
    await expect.poll(() => countProcesses(marker(1))).toBe(0);
  });

  test("takes background processes along", async () => {
    const result = await run(`${marker(2)} & setsid nohup ${marker(2)} >/dev/null 2>&1 & echo started`);
    expect(result).toMatchObject({ output: "started\n", exitCode: 0 });
    expect(result.durationMs).toBeLessThan(5_000 + 5 * (await usual({ run })));
    await expect.poll(() => countProcesses(marker(2))).toBe(0);
  });

  test("comes with a cancel", async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 200);
    const result = await run(marker(3), { signal: controller.signal });
    expect(result.stopped).toBe("cancelled");
    expect(result.durationMs).toBeLessThan(2_200 + 5 * (await usual({ run })));
    await expect.poll(() => countProcesses(marker(3))).toBe(0);
  });

  test("comes before the start when the run is already cancelled", async () => {
    expect(await run("echo x > never", { signal: AbortSignal.abort() })).toMatchObject({
      stopped: "cancelled",
      output: "",
    });
    expect(await workspace().stat("never")).toBeNull();
  });
}

function testLimits({ run }: Pick<Running, "run">): void {
  test("is bounded for a fork bomb", async () => {
    const result = await run(":(){ :|:& };:; sleep 1; echo survived", {
      timeoutMs: 4_000,
      commandLimits: { processes: 32 },
    });
    expect(result.durationMs).toBeLessThan(6_500 + 5 * (await usual({ run })));
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
    expect(result.durationMs).toBeLessThan(5_000 + 5 * (await usual({ run })));
  });

  test("includes no input: a command that reads ends", async () => {
    expect((await run("cat; read x; echo done")).output).toBe("done\n");
  });
}

function testOutput({ run }: Pick<Running, "run">): void {
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
}
