import { type StdioOptions, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { describeExecution } from "@/lib/testing/contracts/sandbox-execution";
import { countProcesses, createSandboxFixture } from "@/lib/testing/fixtures/sandbox-fixture";
import { requireMachine } from "@/lib/testing/setup/require-machine";
import { COMMAND_LIMITS } from "@/lib/workspaces/limits";
import { runProcess } from "./run-process";
import { sandboxCommand } from "./sandbox-command";
import { launcherEnvironment, SEARCH_PATH } from "./sandbox-launcher";
import { sandboxUid } from "./sandbox-uid";

const ready = requireMachine("linux", "bubblewrap", "python3");
const fixture = await createSandboxFixture();
const { base, remove, root, run, workspace } = fixture;

afterAll(remove);

/** A command line unique on this machine. */
const marker = (number: number) => `sleep 9876${number}.${process.pid}`;

describe.skipIf(!ready)("in bubblewrap", () => describeExecution(fixture));

describe.skipIf(!ready)("the end of a command in bubblewrap", () => {
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

describe.skipIf(!ready)("what a command may use in bubblewrap", () => {
  test("is enough for Node", async () => {
    const result = await run("node -e 'console.log(40 + 2)'");
    expect(result).toMatchObject({ output: "42\n", exitCode: 0 });
  });
});
