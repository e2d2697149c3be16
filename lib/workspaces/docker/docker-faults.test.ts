import { chmodSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createSocketServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { CommandOptions } from "@/lib/agent/workspace/workspace";
import { type EngineScript, type ScriptedEngine, startScriptedEngine } from "@/lib/testing/engines/scripted-engine";
import { requireMachine } from "@/lib/testing/setup/require-machine";
import { createLocalWorkspace } from "@/lib/workspaces/local/local-workspace";
import { createDockerBackend, type DockerBackend } from "./docker-backend";
import { EngineError } from "./engine/engine";
import { explainEngine } from "./engine/engine-problems";
import { probeDocker, probeEngine } from "./probe-docker";

const ready = requireMachine("linux", "bubblewrap");
const IMAGE = "python:3.12-slim";
const bases: string[] = [];
const backends: DockerBackend[] = [];
const engines: ScriptedEngine[] = [];

afterEach(async () => {
  await Promise.all(backends.splice(0).map((backend) => backend.close()));
  await Promise.all(engines.splice(0).map((engine) => engine.close()));
  for (const base of bases.splice(0)) rmSync(base, { recursive: true, force: true });
});

async function start(script: Partial<EngineScript> = {}): Promise<ScriptedEngine> {
  const engine = await startScriptedEngine({ images: new Set([IMAGE]), ...script });
  engines.push(engine);
  return engine;
}

function connect(socketPath: string, runtime: string | null = null) {
  const backend = createDockerBackend({ socketPath, runtime, installation: "faults" });
  backends.push(backend);
  const base = temporaryFolder();
  const sandbox = { available: true, reason: null, remedy: null, mode: "docker" as const, ripgrep: false, backend };
  const workspace = createLocalWorkspace({ root: join(base, "workspace"), sandbox, image: IMAGE, workdir: "/mnt" });
  const run = async (command: string, options: Partial<CommandOptions> = {}) => {
    const { signal } = new AbortController();
    return await workspace.execute?.(command, { timeoutMs: 20_000, maxOutputBytes: 65_536, signal, ...options });
  };
  return { backend, workspace, run };
}

function temporaryFolder(): string {
  const base = mkdtempSync(join(tmpdir(), "ringmaster-docker-faults-"));
  bases.push(base);
  return base;
}

/** Starts a command and waits until the engine has started it; the result is a function, so that it isn't awaited here. */
async function started<Result>(engine: ScriptedEngine, run: () => Promise<Result>): Promise<() => Promise<Result>> {
  const count = () => engine.requests.filter((request) => /^POST \/exec\/\w+\/start$/.test(request)).length;
  const before = count();
  const result = run();
  result.catch(() => undefined);
  await expect.poll(count).toBe(before + 1);
  return () => result;
}

describe("an engine that can't be reached is explained", () => {
  test("when nothing is at its socket", async () => {
    const { backend, run } = connect(join(temporaryFolder(), "docker.sock"));
    const status = await probeDocker(backend, IMAGE);
    expect(status).toMatchObject({ available: false, reason: expect.stringContaining("no Docker engine at") });
    expect(status.remedy).toContain("RINGMASTER_DOCKER_SOCKET");
    await expect(run("true")).rejects.toThrow("no Docker engine at");
  });

  test("when nobody listens behind the socket any more", async () => {
    const engine = await start();
    const path = join(temporaryFolder(), "docker.sock");
    const listener = createSocketServer().listen(path);
    await new Promise((resolve) => listener.once("listening", resolve));
    const moved = `${path}.moved`;
    renameSync(path, moved);
    await new Promise((resolve) => listener.close(resolve));
    const { backend } = connect(moved);
    expect(await probeDocker(backend, IMAGE)).toMatchObject({ remedy: expect.stringContaining("systemctl start") });
    expect(engine.requests).toEqual([]);
  });

  test.skipIf(process.getuid?.() === 0)("when this user has no right to the socket", async () => {
    const engine = await start();
    chmodSync(engine.socketPath, 0o000);
    const { backend } = connect(engine.socketPath);
    expect(await probeDocker(backend, IMAGE)).toMatchObject({ remedy: expect.stringContaining("usermod -aG docker") });
  });

  test("by the rights, for whoever is not root", () => {
    const error = new EngineError("connect EACCES /var/run/docker.sock", { code: "EACCES" });
    const found = explainEngine(error, { socketPath: "/var/run/docker.sock", image: IMAGE, runtime: null });
    expect(found.reason).toBe("This server's user may not use /var/run/docker.sock.");
    expect(found.remedy).toContain("usermod -aG docker");
  });

  test("when something else answers there", async () => {
    const path = join(temporaryFolder(), "web.sock");
    const server = createServer((_, response) => response.end("<html>Hello</html>")).listen(path);
    await new Promise((resolve) => server.once("listening", resolve));
    const { backend } = connect(path);
    expect(await probeDocker(backend, IMAGE)).toMatchObject({ reason: expect.stringContaining("is no Docker engine") });
    await new Promise((resolve) => server.close(resolve));
  });
});

describe("an engine that can't confine commands is explained", () => {
  test.each([
    [
      { MemoryLimit: false, SecurityOptions: ["name=rootless"] },
      "rootless Docker engine can't limit memory",
      "cgroup v2",
    ],
    [{ MemoryLimit: false, PidsLimit: false }, "can't limit memory and processes", "cgroup"],
    [{ OSType: "windows" }, "runs windows containers", "Linux containers"],
  ])("%j", async (info, reason, remedy) => {
    const { backend } = connect((await start({ info })).socketPath);
    expect(await probeDocker(backend, IMAGE)).toEqual({
      available: false,
      reason: expect.stringContaining(reason),
      remedy: expect.stringContaining(remedy),
    });
  });

  test("whether it lists its runtimes or only fails to start one", async () => {
    const listed = connect((await start({ info: { Runtimes: { runc: {} } } })).socketPath, "runsc");
    const message = "unknown or invalid runtime name: runsc";
    const refuse = (method: string, path: string) =>
      method === "POST" && path === "/containers/create" ? ([400, message] as const) : null;
    const unlisted = connect((await start({ refuse })).socketPath, "runsc");
    for (const { backend } of [listed, unlisted]) {
      expect(await probeDocker(backend, IMAGE)).toMatchObject({
        available: false,
        reason: expect.stringContaining("has no runtime runsc"),
        remedy: expect.stringContaining("RINGMASTER_DOCKER_RUNTIME"),
      });
    }
    await expect(unlisted.run("true")).rejects.toThrow("has no runtime runsc");
  });
});

describe.skipIf(!ready)("an image that the engine does not have", () => {
  const progress = (id: string, current: number) => ({ id, progressDetail: { current, total: 20_000_000 } });

  test("is pulled by the first command, and the probe says so", async () => {
    const pull = [progress("a", 5_000_000), progress("b", 10_000_000), { status: "Pull complete" }];
    const engine = await start({ images: new Set(), pull });
    const { backend, run } = connect(engine.socketPath);
    expect(await probeDocker(backend, IMAGE)).toMatchObject({
      available: true,
      remedy: expect.stringContaining(`pull ${IMAGE}`),
    });
    expect(await run("echo here")).toMatchObject({ output: "here\n", exitCode: 0 });
    expect(engine.requests.filter((request) => request === "POST /images/create")).toHaveLength(1);
  });

  test("is reported in the registry's words when it can't be pulled", async () => {
    const engine = await start({ images: new Set(), pull: [{ error: "manifest unknown" }] });
    await expect(connect(engine.socketPath).run("true")).rejects.toThrow(
      /could not be pulled: manifest unknown.* pull /,
    );
  });

  test.each([
    [500, 'Get "https://registry.example.org/v2/": dial tcp: lookup registry.example.org: no such host'],
    [500, 'Head "https://registry.example.org/v2/library/x/manifests/1": unauthorized: authentication required'],
    [403, "denied: requested access to the resource is denied"],
  ])("is reported in the registry's words where Docker refuses the pull with %i", async (status, message) => {
    const refuse = (_: string, path: string) =>
      path.startsWith("/images/create") ? ([status, message] as const) : null;
    const engine = await start({ images: new Set(), refuse });
    const refused = connect(engine.socketPath).run("true");
    await expect(refused).rejects.toThrow(`is not on this engine and could not be pulled: ${message}`);
  });

  test("is pulled again when somebody has removed it", async () => {
    const images = new Set([IMAGE]);
    const engine = await start({ images });
    const { run, backend } = connect(engine.socketPath);
    expect(await run("echo one")).toMatchObject({ output: "one\n" });
    await backend.close();
    images.clear();
    await expect(run("echo two")).rejects.toThrow("not on this engine");
    expect(await run("echo three")).toMatchObject({ output: "three\n" });
  });
});

describe.skipIf(!ready)("a command", () => {
  test.each([1, 3, 7, 8, 9])("is read whole when its frames are cut into pieces of %i bytes", async (pieceBytes) => {
    const { run, workspace } = connect((await start({ pieceBytes })).socketPath);
    const result = await run("printf 'a\\342\\202\\254b'; echo err >&2; echo file > made; exit 4");
    expect(result).toMatchObject({ output: "a€berr\n", exitCode: 4 });
    expect((await workspace.read("made", 10)).sizeBytes).toBe(5);
  });

  test("is read whole from either stream", async () => {
    const { run } = connect((await start({ swapStreams: true })).socketPath);
    expect(await run("echo out; echo err >&2")).toMatchObject({ output: "out\nerr\n", exitCode: 0 });
  });

  test("reports an engine that dies in the middle of it, and the next one begins anew", async () => {
    const engine = await start();
    const { run, workspace } = connect(engine.socketPath);
    await workspace.write("kept", Buffer.from("kept"));
    expect(await run("cat kept")).toMatchObject({ output: "kept" });
    const running = await started(engine, () => run("echo begun > begun; sleep 60"));
    await engine.die();
    await expect(running()).rejects.toThrow(/Docker engine|No engine answers/);
    expect((await workspace.read("kept", 10)).sizeBytes).toBe(4);
    await expect(run("true")).rejects.toThrow(/no Docker engine at|No engine answers/);
  });

  test("ends at its limits even if the engine no longer answers", { timeout: 30_000 }, async () => {
    let isDeaf = false;
    const engine = await start({ hang: (method) => isDeaf && method === "DELETE" });
    const { run } = connect(engine.socketPath);
    await run("true");
    isDeaf = true;
    const result = await run("echo begun; sleep 60", { timeoutMs: 500 });
    expect(result).toMatchObject({ stopped: "timeout", output: "begun\n" });
    expect(result?.durationMs).toBeLessThan(10_000);
    isDeaf = false;
  });

  test("whose result arrives but not its files is reported with a notice", async () => {
    let isListing = false;
    const engine = await start({
      refuse: (_, path) => (isListing && path.endsWith("/exec") ? [500, "out of disk"] : null),
    });
    const { run } = connect(engine.socketPath);
    await run("true");
    const running = await started(engine, () => run("echo done; sleep 0.5"));
    isListing = true;
    expect(await running()).toMatchObject({
      output: "done\n",
      exitCode: 0,
      notice: expect.stringContaining("could not be taken over. The Docker engine refused: out of disk"),
    });
  });

  test("is cancelled while its files are still on their way", { timeout: 30_000 }, async () => {
    const engine = await start({ hang: (_, path) => path.endsWith("/start") && path.startsWith("/exec") });
    const { run, backend } = connect(engine.socketPath);
    const controller = new AbortController();
    const running = run("true", { signal: controller.signal });
    await expect.poll(() => engine.requests.some((request) => /^POST \/exec\/\w+\/start$/.test(request))).toBe(true);
    controller.abort();
    expect(await running).toMatchObject({ stopped: "cancelled" });
    expect(engine.containers.size).toBe(0);
    await backend.close();
  });

  test("waiting behind another one of its workspace can be cancelled", async () => {
    const { run } = connect((await start()).socketPath);
    const first = run("sleep 1; echo first");
    const controller = new AbortController();
    const second = run("echo second > second", { signal: controller.signal });
    const third = run("ls");
    controller.abort();
    expect(await second).toMatchObject({ stopped: "cancelled" });
    expect(await first).toMatchObject({ output: "first\n" });
    expect(await third).toMatchObject({ output: "" });
  });
});

test("what is left behind after the last command goes: containers and volumes", async () => {
  if (!ready) return;
  const engine = await start();
  const { run, backend } = connect(engine.socketPath);
  await run("true");
  expect(engine.containers.size + engine.volumes.size).toBe(2);
  await backend.close();
  expect(engine.containers.size + engine.volumes.size).toBe(0);
});

test("an engine that is away is explained by another copy of the modules than the one that asked it", async () => {
  const { backend } = connect(join(temporaryFolder(), "nothing.sock"));
  vi.resetModules();
  const copy = await import("./probe-docker");
  expect(copy.probeEngine).not.toBe(probeEngine);
  const status = await copy.probeEngine(backend, IMAGE);
  expect(status).toEqual(await probeEngine(backend, IMAGE));
  expect(status).toMatchObject({ available: false, reason: expect.stringContaining("nothing.sock") });
});
