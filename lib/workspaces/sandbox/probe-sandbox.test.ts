import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { SandboxStatus } from "@/lib/schema/agents/agent-info";
import { countProcesses } from "@/lib/testing/fixtures/sandbox-fixture";
import { requireMachine } from "@/lib/testing/setup/require-machine";
import { createLocalWorkspace } from "@/lib/workspaces/local/local-workspace";
import { probeLocalFiles } from "@/lib/workspaces/local/probe-local-files";
import { probeSandbox, type SandboxProbe } from "./probe-sandbox";
import { explainSandbox } from "./sandbox-remedies";

const base = mkdtempSync(join(tmpdir(), "ringmaster-probe-test-"));
const signal = new AbortController().signal;
const options = { timeoutMs: 10_000, maxOutputBytes: 1_000, signal };

afterAll(() => rmSync(base, { recursive: true, force: true }));
afterEach(() => vi.unstubAllGlobals());

describe("the probe", () => {
  test.skipIf(!requireMachine("linux", "bubblewrap"))("answers in the shape that the API shows", async () => {
    expect(SandboxStatus.parse(await probeSandbox())).toEqual({ available: true, reason: null, remedy: null });
  });

  test.skipIf(!requireMachine("linux", "bubblewrap"))(
    "prefers the sandbox to the unsafe way that was allowed",
    async () => {
      expect((await probeSandbox({ unsafe: true })).mode).toBe("bubblewrap");
    },
  );

  test("says on another system that it takes Linux, for commands and for local files", async () => {
    vi.stubGlobal("process", { ...process, platform: "darwin" });
    expect(await probeLocalFiles()).toMatchObject({ available: false, reason: expect.stringContaining("darwin") });
    const probe = await probeSandbox({ unsafe: true });
    expect(probe).toMatchObject({ available: false, mode: null, remedy: expect.stringContaining("Linux") });
  });

  test.each([
    ["setpriv: failed to execute bwrap: No such file or directory", "not installed", "apt-get install bubblewrap"],
    ["launcher: line 2: bwrap: command not found", "not installed", "apt-get install bubblewrap"],
    ["The command did not start: spawn setpriv ENOENT", "util-linux", "apt-get install util-linux"],
    ["setpriv: unrecognized option: pdeathsig", "util-linux", "apt-get install util-linux"],
    ["bwrap: Unknown option --disable-userns", "too old", "Upgrade bubblewrap"],
    ["bwrap: No permissions to create new namespace, likely because", "user namespaces", "unprivileged_userns_clone"],
    ["bwrap: setting up uid map: Permission denied", "user namespaces", "apparmor_restrict_unprivileged_userns"],
    ["unshare: unshare failed: Operation not permitted", "runs as root but may not", "--cap-add SYS_ADMIN"],
    ["bash: fork: retry: Resource temporarily unavailable", "5.14", "kernel"],
    ["something else", "something else", "bwrap --unshare-all"],
    ["", "printed nothing", "bwrap --unshare-all"],
  ])("explains %j", (output, reason, remedy) => {
    expect(explainSandbox(output).reason).toContain(reason);
    expect(explainSandbox(output).remedy).toContain(remedy);
  });
});

describe("a workspace without a sandbox", () => {
  test("offers no execute", () => {
    const sandbox = { available: false, reason: "none", remedy: null, mode: null, ripgrep: false };
    expect(createLocalWorkspace({ root: base, sandbox }).execute).toBeUndefined();
  });
});

describe.skipIf(!requireMachine("linux"))("the unsafe way", () => {
  const sandbox: SandboxProbe = { available: true, reason: "UNSAFE", remedy: null, mode: "unsafe", ripgrep: false };
  const workspace = createLocalWorkspace({ root: join(base, "unsafe"), sandbox });

  test("runs in the workspace with a clean environment and no root", async () => {
    vi.stubEnv("SECRET_OF_SERVER", "sk-test");
    const result = await workspace.execute?.("echo hi > a; cat a >&2; env; id -u", options);
    vi.unstubAllEnvs();
    expect(result).toMatchObject({ exitCode: 0, output: expect.stringMatching(/^hi\n/) });
    expect(result?.output).not.toContain("sk-test");
    expect(result?.output).not.toMatch(/^0$/m);
    expect((await workspace.stat("a"))?.size).toBe(3);
  });

  test("keeps to the limits of time and output, and kills what it started", async () => {
    const sleep = `sleep 98765.${process.pid}`;
    expect(await workspace.execute?.(`${sleep} & ${sleep}`, { ...options, timeoutMs: 300 })).toMatchObject({
      stopped: "timeout",
    });
    expect(await workspace.execute?.(`${sleep} & echo started`, options)).toMatchObject({ output: "started\n" });
    expect(await workspace.execute?.("yes", options)).toMatchObject({ stopped: "output limit", truncated: true });
    await expect.poll(() => countProcesses(sleep)).toBe(0);
  });
});
