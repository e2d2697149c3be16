import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GET as read } from "@/app/api/mcp-servers/[serverId]/route";
import { POST as create } from "@/app/api/mcp-servers/route";
import { mcpInstallation } from "@/lib/testing/fixtures/mcp-fixture";
import { startProcess } from "@/lib/testing/processes/start-process";

const PACKAGES = realpathSync("node_modules");
const EVERYTHING = path.join(PACKAGES, "@modelcontextprotocol/server-everything/dist/index.js");
const FILESYSTEM = path.join(PACKAGES, "@modelcontextprotocol/server-filesystem/dist/index.js");
const MEMORY = path.join(PACKAGES, "@modelcontextprotocol/server-memory/dist/index.js");
const THINKING = path.join(PACKAGES, "@modelcontextprotocol/server-sequential-thinking/dist/index.js");
const MODULES = { path: PACKAGES, readOnly: true };
const HTTP_PORT = await freePort();

const own = mcpInstallation({
  RINGMASTER_ALLOW_STDIO_MCP: "1",
  RINGMASTER_ALLOWED_PRIVATE_HOSTS: `127.0.0.1:${HTTP_PORT}`,
});

let folder = "";
beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), "ringmaster-mcp-")));
  writeFileSync(path.join(folder, "note.txt"), "Remember the milk.");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const add = (body: Record<string, unknown>) => own.server().call(create, { as: "admin", body: { id: "own", ...body } });

const program = (argv: readonly string[], change: Record<string, unknown> = {}) => {
  return add({ transport: "stdio", command: process.execPath, args: argv, mounts: [MODULES], ...change });
};

describe("server-everything over http", () => {
  let child: ChildProcess;
  beforeAll(async () => {
    child = spawn(process.execPath, [EVERYTHING, "streamableHttp"], {
      env: { ...process.env, PORT: String(HTTP_PORT) },
      stdio: ["ignore", "pipe", "pipe"],
    });
    await new Promise<void>((resolve) => child.stderr?.once("data", () => resolve()));
  });
  afterAll(() => void child.kill("SIGKILL"));

  test("its tools, pictures, structured results and questions come through", async () => {
    const reply = await add({ transport: "http", url: `http://127.0.0.1:${HTTP_PORT}/mcp` });
    expect(await reply.json()).toMatchObject({ state: "connected", facts: { prompts: expect.any(Number) } });
    await own.acceptAll();
    const agent = await own.addAgent({ permissions: { allow: ["mcp__*"] } });
    const run = await own.say(
      agent,
      { name: "mcp__own__echo", args: { message: "hello" } },
      { name: "mcp__own__get-sum", args: { a: 2, b: 40 } },
      { name: "mcp__own__get-tiny-image" },
      { name: "mcp__own__get-structured-content", args: { location: "Chicago" } },
      { name: "mcp__own__trigger-elicitation-request" },
    );
    const outputs = run.tool_calls.map(({ output }) => output);
    expect(outputs[0]).toBe("Echo: hello");
    expect(outputs[1]).toContain("42");
    expect(outputs[2]).toContain("[image: image/png");
    expect(JSON.parse(outputs[3] ?? "")).toHaveProperty("temperature");
    const [asked] = run.interrupts;
    expect(asked?.questions?.length).toBeGreaterThan(5);
    const answers = (asked?.questions ?? []).map(({ question, options, multiple }) => {
      if (question.includes("Your full, legal name")) return "Ada";
      return multiple ? [options?.[0] ?? ""] : "–";
    });
    const decision = { tool_call_id: asked?.tool_call_id, decision: "answer", answers };
    const done = await own.decide(agent, run, [decision]);
    expect([done.status, done.tool_calls.at(-1)?.error]).toEqual(["completed", undefined]);
    expect(done.tool_calls.at(-1)?.output).toContain("Ada");
  });

  test("killed in the middle of a call, it is said to be away at once", async () => {
    await add({ transport: "http", url: `http://127.0.0.1:${HTTP_PORT}/mcp` });
    await own.acceptAll();
    const agent = await own.addAgent({ permissions: { allow: ["mcp__*"] } });
    const { database } = own.server();
    const progress = () => database.runEvent.count({ where: { type: "tool.progress" } });
    const before = await progress();
    const args = { duration: 600, steps: 6_000 };
    const said = own.say(agent, { name: "mcp__own__trigger-long-running-operation", args });
    await expect.poll(progress).toBeGreaterThan(before);
    child.kill("SIGKILL");
    const run = await said;
    expect(run).toMatchObject({ status: "completed", response: "done" });
    expect(run.tool_calls[0]?.error).toMatch(/^The MCP server own does not answer \(.*\)\. Continue without it/);
  });
});

describe("server-filesystem as a program", () => {
  test("in the sandbox it sees what is mounted and nothing else, and is one process for all calls", async () => {
    const mounts = [MODULES, { path: folder, readOnly: false }];
    expect((await program([FILESYSTEM, folder], { mounts })).status).toBe(201);
    await own.acceptAll();
    const agent = await own.addAgent({ permissions: { allow: ["mcp__*"] } });
    const target = path.join(folder, "new.txt");
    const run = await own.say(
      agent,
      { name: "mcp__own__read_text_file", args: { path: path.join(folder, "note.txt") } },
      { name: "mcp__own__write_file", args: { path: target, content: "written" } },
      { name: "mcp__own__read_text_file", args: { path: "/etc/shadow" } },
    );
    expect(run.tool_calls.map(({ output }) => output)[0]).toContain("Remember the milk.");
    expect(readFileSync(target, "utf8")).toBe("written");
    expect(run.tool_calls[2]?.error).toBeTruthy();
  });

  test("what is mounted read-only can't be written", async () => {
    const mounts = [MODULES, { path: folder, readOnly: true }];
    await program([FILESYSTEM, folder], { mounts });
    await own.acceptAll();
    const agent = await own.addAgent({ permissions: { allow: ["mcp__*"] } });
    const args = { path: path.join(folder, "other.txt"), content: "x" };
    const run = await own.say(agent, { name: "mcp__own__write_file", args });
    expect(run.tool_calls[0]?.error).toMatch(/EROFS|read-only/i);
  });

  test("without the sandbox it needs no mounts", async () => {
    await program([FILESYSTEM, folder], { unsandboxed: true, mounts: [] });
    await own.acceptAll();
    const note = { path: path.join(folder, "note.txt") };
    const run = await own.say(await own.addAgent(), { name: "mcp__own__read_text_file", args: note });
    expect(run.tool_calls[0]?.output).toContain("Remember the milk.");
  });
});

test("server-memory keeps what one run tells it, and gives it to the next", async () => {
  const mounts = [MODULES, { path: folder, readOnly: false }];
  const env = { MEMORY_FILE_PATH: path.join(folder, "memory.jsonl") };
  expect((await program([MEMORY], { mounts, env })).status).toBe(201);
  await own.acceptAll();
  const agent = await own.addAgent({ permissions: { allow: ["mcp__*"] } });
  const entities = [{ name: "Ada", entityType: "person", observations: ["likes otters"] }];
  const told = await own.say(agent, { name: "mcp__own__create_entities", args: { entities } });
  expect(told).toMatchObject({ status: "completed", tool_calls: [{ name: "mcp__own__create_entities" }] });
  expect(told.tool_calls[0]?.error).toBeUndefined();
  expect(readFileSync(env.MEMORY_FILE_PATH, "utf8")).toContain("likes otters");
  const asked = await own.say(
    agent,
    { name: "mcp__own__search_nodes", args: { query: "otters" } },
    { name: "mcp__own__create_entities", args: { entities: "Ada" } },
  );
  expect(asked.tool_calls[0]?.output).toContain("Ada");
  expect(asked.tool_calls[1]?.error).toBeTruthy();
});

test("server-sequential-thinking counts thoughts, also those whose numbers come as text", async () => {
  expect((await program([THINKING])).status).toBe(201);
  await own.acceptAll();
  const agent = await own.addAgent({ permissions: { allow: ["mcp__*"] } });
  const thought = { thought: "First look.", nextThoughtNeeded: true, thoughtNumber: 1, totalThoughts: 2 };
  const run = await own.say(
    agent,
    { name: "mcp__own__sequentialthinking", args: thought },
    { name: "mcp__own__sequentialthinking", args: { ...thought, thoughtNumber: "2", nextThoughtNeeded: "false" } },
  );
  expect(run.tool_calls.map(({ error }) => error)).toEqual([undefined, undefined]);
  expect(run.tool_calls.map(({ output }) => JSON.parse(output ?? "{}").thoughtNumber)).toEqual([1, 2]);
});

test("a program sees its own variables and none of this server's", async () => {
  await program([EVERYTHING, "stdio"], { env: { TEAM: "blue" } });
  await own.acceptAll();
  const run = await own.say(await own.addAgent(), { name: "mcp__own__get-env" });
  const seen = JSON.parse(run.tool_calls[0]?.output ?? "{}");
  expect(seen).toMatchObject({ TEAM: "blue" });
  expect(Object.keys(seen).filter((name) => /RINGMASTER|DATABASE|npm_|VITEST/.test(name))).toEqual([]);
});

test.each([
  [{ command: "npx", args: ["-y", "@modelcontextprotocol/server-everything"] }, "download"],
  [{ command: "/no/such/program" }, "not installed"],
  [{ mounts: [{ path: "/no/such/folder" }] }, "nothing at this path"],
  [{ mounts: [{ path: tmpdir() }] }, "data folder"],
])("%o is refused when it is saved", async (change, message) => {
  const reply = await program([EVERYTHING, "stdio"], change);
  expect([reply.status, (await reply.json()).error.message]).toEqual([400, expect.stringContaining(message)]);
});

test("a program that fails at once says why", async () => {
  await program(["-e", "console.error('no licence'); process.exit(3)"]);
  const server = await (await own.call(read as never, "own")).json();
  expect(server).toMatchObject({ state: "away", awayReason: expect.stringContaining("no licence") });
});

test.each(["sandboxed", "unsandboxed"])("a %s program ends with its owner, also by kill -9", async (place) => {
  const mark = `mark-${crypto.randomUUID()}`;
  const owner = startProcess("lib/testing/processes/mcp/mcp-owner.ts", EVERYTHING, mark, place);
  expect(await owner.nextLine()).toBe("connected");
  expect(programsWith(mark)).not.toEqual([]);
  owner.kill();
  await owner.ended;
  await expect.poll(() => programsWith(mark)).toEqual([]);
});

/** The processes with this text on their command line, except the owner. */
function programsWith(mark: string): string[] {
  return readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const line = readFileSync(`/proc/${name}/cmdline`, "utf8");
      return line.includes(mark) && !line.includes("mcp-owner");
    } catch {
      return false;
    }
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}
