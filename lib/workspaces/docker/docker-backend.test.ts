import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { POST as invoke } from "@/app/agents/[id]/invoke/route";
import { GET as getAgent, PATCH as patchAgent } from "@/app/agents/[id]/route";
import { POST as importAgents } from "@/app/api/agents/import/route";
import { closeContainers } from "@/lib/server/files/docker-backend";
import { startContainerEngine } from "@/lib/testing/engines/container-engine";
import { countProcesses, createSandboxFixture, type SandboxFixture } from "@/lib/testing/fixtures/sandbox-fixture";
import { startProcess } from "@/lib/testing/processes/start-process";
import { startRunServer } from "@/lib/testing/servers/run-server";
import type { SandboxProbe } from "@/lib/workspaces/sandbox/probe-sandbox";
import { createDockerBackend, type DockerOptions } from "./docker-backend";
import { createEngine } from "./engine/engine";
import { probeDocker } from "./probe-docker";

const found = await startContainerEngine();
const ready = found !== null;
const { socketPath = "", image = "" } = found ?? {};
const cleanUps: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});
afterAll(() => found?.stop(), 60_000);

async function start(options: Partial<DockerOptions> = {}) {
  const backend = createDockerBackend({ socketPath, runtime: null, installation: "tests", ...options });
  const sandbox: SandboxProbe = {
    available: true,
    reason: null,
    remedy: null,
    mode: "docker",
    ripgrep: false,
    backend,
  };
  const fixture = await createSandboxFixture({ sandbox, image });
  cleanUps.push(async () => {
    await backend.close();
    fixture.remove();
  });
  return { ...fixture, backend };
}

async function textOf({ workspace }: SandboxFixture, path: string): Promise<string> {
  return Buffer.from((await workspace().read(path, 1_000)).bytes).toString();
}

/** The containers and volumes of an installation, whatever their state. */
async function count(installation: string): Promise<number> {
  const filters = encodeURIComponent(JSON.stringify({ label: [`ringmaster.installation=${installation}`] }));
  const engine = createEngine(socketPath);
  const containers = await engine.call({ method: "GET", path: `/containers/json?all=1&filters=${filters}` });
  const volumes = await engine.call({ method: "GET", path: `/volumes?filters=${filters}` });
  return (containers as unknown[]).length + ((volumes as { Volumes: unknown[] | null }).Volumes ?? []).length;
}

describe.skipIf(!ready)("the files of a container", { timeout: 60_000 }, () => {
  test("are those of the workspace before a command, and the reverse after it", async () => {
    const place = await start();
    const long = `${"folder/".repeat(20)}${"name".repeat(20)}.txt`;
    const odd = "Straße und 東京 \\n -x '\".txt";
    for (const path of ["a.txt", "d/e.txt", long, odd]) await place.workspace().write(path, Buffer.from(`of ${path}`));
    const copies = `for f in a.txt d/e.txt '${long}' "$ODD"; do cp "$f" "$f.copy"; done; chmod +x a.txt`;
    const { output, exitCode } = await place.run(`ODD=$(ls -d Stra*); ${copies}; rm -r d/e.txt; ls d`);
    expect([output, exitCode]).toEqual(["e.txt.copy\n", 0]);
    for (const path of ["a.txt", long, odd]) expect(await textOf(place, `${path}.copy`)).toBe(`of ${path}`);
    expect(await place.workspace().stat("d/e.txt")).toBeNull();
    await place.workspace().remove("a.txt");
    expect((await place.run("ls a.txt; stat -c %a a.txt.copy")).output).toContain("No such file");
  });

  test("follow every change of kind, in both directions", async () => {
    const place = await start();
    await place.workspace().write("x/inside", Buffer.from("1"));
    await place.workspace().write("y", Buffer.from("2"));
    await place.run("rm -r x; echo file > x; rm y; mkdir y; echo new > y/inside");
    expect([await textOf(place, "x"), await textOf(place, "y/inside")]).toEqual(["file\n", "new\n"]);
    await place.run("rm -r y; ln -s x y; ln x second; echo more >> second");
    expect((await place.workspace().stat("y"))?.type).toBe("link");
    expect(await textOf(place, "second")).toBe("file\nmore\n");
  });

  test("leave out FIFOs and devices, and lead nowhere by links", async () => {
    const place = await start();
    await place.run(`mkfifo pipe; ln -s ${place.base} out; ln -s /etc/passwd passwd; echo ok > ok`);
    expect(await place.workspace().stat("pipe")).toBeNull();
    await expect(place.workspace().read("passwd", 10)).rejects.toThrow("symbolic link");
    await place.run("rm out; mkdir out; echo x > out/secret");
    expect(await textOf(place, "out/secret")).toBe("x\n");
    expect(readFileSync(join(place.base, "secret"), "utf8")).toBe("TOPSECRET");
  });

  test("survive a command that closes them to its own user", async () => {
    const place = await start();
    await place.workspace().write("closed/file", Buffer.from("kept"));
    await place.run("chmod 000 closed/file closed");
    expect(await textOf(place, "closed/file")).toBe("kept");
  });

  test("stay as they were left when a command is ended early", async () => {
    const place = await start();
    const result = await place.run("echo begun > part; trap '' TERM INT HUP; sleep 60; sleep 60", { timeoutMs: 1_500 });
    expect(result.stopped).toBe("timeout");
    expect(await textOf(place, "part")).toBe("begun\n");
    expect((await place.run("cat part")).output).toBe("begun\n");
  });

  test("that somebody changes during a command win, and the command's are beside them", async () => {
    const place = await start();
    await place.workspace().write("both", Buffer.from("before"));
    await place.run("true");
    const running = place.run("echo mine > both; touch ready; sleep 1.5");
    await expect.poll(() => countProcesses("sleep 1.5")).toBeGreaterThan(0);
    await place.workspace().write("both", Buffer.from("theirs"));
    expect((await running).notice).toContain("somebody else changed both");
    expect([await textOf(place, "both"), await textOf(place, "both.from-command")]).toEqual(["theirs", "mine\n"]);
    expect((await place.run("cat both")).output).toBe("theirs");
  });

  test("are shared by two runs of one workspace", async () => {
    const place = await start();
    const runs = [1, 2, 3].map((number) => place.run(`echo ${number} >> all; echo ${number} > own${number}; cat all`));
    const lengths = (await Promise.all(runs)).map(({ output }) => output.length);
    expect(lengths.toSorted()).toEqual([2, 4, 6]);
    expect((await textOf(place, "all")).trim().split("\n").toSorted()).toEqual(["1", "2", "3"]);
    expect(await textOf(place, "own2")).toBe("2\n");
  });

  test("over the quota can only be deleted", async () => {
    const place = await start();
    const limits = { quotaBytes: 2 ** 20 };
    const result = await place.run("head -c 2M /dev/zero > big", { limits });
    expect(result.notice).toContain("over its quota");
    const full = place.workspace({ limits }).execute;
    const options = { timeoutMs: 20_000, maxOutputBytes: 1_000, signal: new AbortController().signal };
    expect((await full?.("echo x > new; stat -c %s new; rm big new", options))?.output).toContain("\n0\n");
    expect((await full?.("echo x > new; cat new", options))?.output).toBe("x\n");
  });

  test("that fill the disk end the command", async () => {
    const place = await start();
    const fill = "for i in $(seq 99); do head -c 1M /dev/zero > f$i; sleep 0.1; done";
    expect(await place.run(fill, { limits: { quotaBytes: 10 * 2 ** 20 } })).toMatchObject({ stopped: "quota" });
  });
});

describe.skipIf(!ready)("containers", { timeout: 60_000 }, () => {
  test("are found by running one, and their runtime by name", async () => {
    const { backend } = await start();
    expect(await probeDocker(backend, image)).toEqual({ available: true, reason: null, remedy: null });
    const { backend: other } = await start({ runtime: "no-such-runtime" });
    expect(await probeDocker(other, image)).toMatchObject({
      available: false,
      reason: expect.stringContaining("runtime"),
    });
  });

  test("stay for the next command, and go when nobody needs them", async () => {
    const { run } = await start({ installation: "idle", idleMs: 1_500 });
    await run("touch /tmp/warm");
    expect((await run("ls /tmp")).output).toBe("warm\n");
    expect(await count("idle")).toBe(2);
    await expect.poll(() => count("idle")).toBe(0);
    expect((await run("ls /tmp")).output).toBe("");
  });

  test("are new when the agent's settings are others", async () => {
    const { run } = await start({ installation: "settings" });
    await run("touch /tmp/old kept");
    expect((await run("ls /tmp . ", { memoryMb: 16 })).output).toBe(".:\nkept\n\n/tmp:\n");
    expect(await count("settings")).toBe(2);
  });

  test("end with the server, and what is left of its own goes at the next start", async () => {
    const { root, backend } = await start({ installation: "dead" });
    const { run } = await start({ installation: "alive" });
    await run("true");
    const command = `trap '' TERM HUP; (setsid sleep 4321.${process.pid} &); sleep 4321.${process.pid}`;
    const owner = startProcess("lib/testing/processes/container-owner.ts", socketPath, image, root, "dead", command);
    expect(await owner.nextLine()).toBe("warm");
    await expect.poll(() => countProcesses(`sleep 4321.${process.pid}`)).toBe(2);
    owner.kill();
    await expect.poll(() => countProcesses(`sleep 4321.${process.pid}`)).toBe(0);
    expect(await backend.removeLeftovers()).toBeGreaterThan(0);
    expect(await count("dead")).toBe(0);
    expect(await count("alive")).toBe(2);
  });
});

test.skipIf(!ready)("the documents' agents.yaml runs its commands in a container of its image", async () => {
  const command = "echo $((40 + 2)) > answer; pwd; cat answer; cat /etc/hostname";
  const server = await startRunServer(
    ({ messages = [] }) =>
      messages.some(({ role }) => role === "tool")
        ? { text: "Done." }
        : { calls: [{ name: "execute", args: { command } }] },
    { RINGMASTER_DOCKER_SOCKET: socketPath },
  );
  cleanUps.push(async () => {
    await closeContainers();
    await server.close();
  });
  const yaml = readFileSync(resolve("lib/testing/document-samples/agents.yaml"), "utf8");
  await server.call(importAgents, { as: "admin", method: "POST", body: { yaml, file: "agents.yaml" } });
  const params = { id: "default" };
  const info = await (await server.call(getAgent, { as: "admin", params })).json();
  expect(info).toMatchObject({
    backend: { image: "python:3.12-slim" },
    sandbox: { available: true, reason: null },
    tools: expect.arrayContaining(["execute"]),
  });
  await server.call(patchAgent, { as: "admin", method: "PATCH", params, body: { model: "scripted:m" } });
  const body = { messages: [{ role: "user", content: "How much is 40 + 2?" }] };
  expect((await server.call(invoke, { as: "admin", method: "POST", params, body })).status).toBe(200);
  const result = server.provider.requests.at(-1)?.body.messages?.find(({ role }) => role === "tool");
  expect(result?.content).toContain(JSON.stringify("/workspace\n42\n").slice(1, -1));
});
