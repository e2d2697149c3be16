import { realpathSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { POST as create } from "@/app/api/mcp-servers/route";
import { mcpInstallation } from "@/lib/testing/fixtures/mcp-fixture";
import { type CurrentMcpServer, startCurrentMcpServer } from "@/lib/testing/servers/mcp/current-mcp-server";

const servers = { reject: await startCurrentMcpServer("reject"), stateless: await startCurrentMcpServer("stateless") };
const own = mcpInstallation({
  RINGMASTER_ALLOW_STDIO_MCP: "1",
  RINGMASTER_ALLOWED_PRIVATE_HOSTS: `${servers.reject.host},${servers.stateless.host}`,
});
afterAll(() => Promise.all(Object.values(servers).map((server) => server.close())));

const SERVER_INFO = { name: "newest", version: "2.0.0", protocol: "2026-07-28" };
const answers = (...given: string[]) => given.map((answer) => [answer]);

/** Answers the questions that a run stops for, one after the other. */
async function answerAll(agent: string, run: Awaited<ReturnType<typeof own.say>>, given: readonly string[][]) {
  let current = run;
  for (const answer of given) {
    const [asked] = current.interrupts;
    const decision = { tool_call_id: asked?.tool_call_id, decision: "answer", answers: answer };
    current = await own.decide(agent, current, [decision]);
  }
  return current;
}

describe.each([
  ["2026-07-28 alone", "reject"],
  ["2026-07-28 and those before", "stateless"],
] as const)("a server that speaks %s", (_, legacy) => {
  const server: CurrentMcpServer = servers[legacy];
  let agent = "";
  beforeEach(async () => {
    server.ran.clear();
    const reply = await own.server().call(create, {
      ...{ as: "admin", body: { id: "own", transport: "http", url: server.url } },
    });
    expect(await reply.json()).toMatchObject({ state: "connected", facts: SERVER_INFO });
    await own.acceptAll();
    agent = await own.addAgent({ permissions: { allow: ["mcp__*"] } });
    server.requests.length = 0;
  });

  test("answers its calls, without a session and with headers that say what is asked", async () => {
    const run = await own.say(agent, { name: "mcp__own__greet", args: { name: "Ada" } });
    expect(run.tool_calls.map(({ output }) => output)).toEqual(["Hello, Ada!"]);
    const call = server.requests.find(({ method }) => method === "tools/call");
    expect(call?.headers).toMatchObject({ "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call" });
    expect(call?.headers).toMatchObject({ "mcp-name": "greet" });
    expect(call?.headers["mcp-session-id"]).toBeUndefined();
    expect(server.requests.map(({ method }) => method)).not.toContain("initialize");
  });

  test("asks the run's person as often as it needs, and the call goes on with the replies", async () => {
    const run = await own.say(agent, { name: "mcp__own__order" });
    expect(run.interrupts[0]?.questions?.[0]?.question).toContain("Who orders?");
    const done = await answerAll(agent, run, answers("Ada", "Tea"));
    expect(done).toMatchObject({ status: "completed", tool_calls: [{ output: "Tea for Ada." }] });
    expect(server.ran.get("order")).toBe(1);
  });

  test("is told that a question was declined", async () => {
    const run = await answerAll(agent, await own.say(agent, { name: "mcp__own__order" }), answers("Ada"));
    const denied = await own.decide(agent, run, [{ tool_call_id: run.interrupts[0]?.tool_call_id, decision: "deny" }]);
    expect(denied.tool_calls[0]?.output).toBe("Nothing for Ada.");
  });

  test("gets the arguments in headers that it wants there, whatever is in them", async () => {
    const run = await own.say(
      agent,
      { name: "mcp__own__route", args: { region: "eu-west" } },
      { name: "mcp__own__route", args: { region: "Österreich" } },
      { name: "mcp__own__route", args: {} },
    );
    const sent = ["Sent to eu-west.", "Sent to Österreich.", "Sent to undefined."];
    expect(run.tool_calls.map(({ output }) => output)).toEqual(sent);
  });

  test("is told that a call is over that takes too long", async () => {
    const hurried = { permissions: { allow: ["mcp__*"] }, tool_settings: { timeout_ms: 300 } };
    const run = await own.say(await own.addAgent(hurried), { name: "mcp__own__wait" });
    expect(run.tool_calls[0]?.error).toContain("did not finish within 300 ms");
    await expect.poll(() => server.ran.get("wait")).toBe(1);
  });

  test("shows its progress on the call's card", async () => {
    await own.say(agent, { name: "mcp__own__count" });
    const progress = await own.server().database.runEvent.findFirstOrThrow({
      where: { type: "tool.progress" },
      orderBy: { createdAt: "desc" },
    });
    expect(JSON.stringify(progress.data)).toContain("half");
  });

  test("withdraws a tool in the middle of a run by saying that it changed", async () => {
    const run = await own.say(agent, { name: "mcp__own__order" });
    server.describe("greet", `Changed ${crypto.randomUUID()}.`);
    own.script({ name: "mcp__own__greet", args: { name: "Ada" } });
    const done = await answerAll(agent, run, answers("Ada", "Tea"));
    expect(done.tool_calls.at(-1)?.error).toContain("withdrawn until an administrator has looked");
    expect(server.ran.get("greet")).toBeUndefined();
  });
});

describe("a program that speaks 2026-07-28", () => {
  const script = realpathSync("lib/testing/processes/mcp/current-mcp-program.ts");
  let argv: string[] = [];
  beforeAll(() => {
    argv = ["--import", realpathSync("scripts/resolve-imports.ts"), script];
  });

  test.each(["reject", "serve"])("and with those before does %s, answers, asks and is one process", async (legacy) => {
    const body = {
      id: "own",
      transport: "stdio",
      command: process.execPath,
      args: [...argv, legacy],
      unsandboxed: true,
    };
    const reply = await own.server().call(create, { as: "admin", body });
    expect(await reply.json()).toMatchObject({ state: "connected", facts: SERVER_INFO });
    await own.acceptAll();
    const agent = await own.addAgent({ permissions: { allow: ["mcp__*"] } });
    const asked = await own.say(agent, { name: "mcp__own__greet", args: { name: "Ada" } }, { name: "mcp__own__order" });
    const done = await answerAll(agent, asked, answers("Ada", "Tea"));
    expect(done.tool_calls.map(({ output }) => output)).toEqual(["Hello, Ada!", "Tea for Ada."]);
  });

  test("asks in each of several calls at once, which all go over its one connection", async () => {
    const body = {
      id: "own",
      transport: "stdio",
      command: process.execPath,
      args: [...argv, "reject"],
      unsandboxed: true,
    };
    await own.server().call(create, { as: "admin", body });
    await own.acceptAll();
    const agent = await own.addAgent({ permissions: { allow: ["mcp__*"] } });
    const order = { name: "mcp__own__order" };
    const asked = await Promise.all([own.say(agent, order, order), own.say(agent, order, order)]);
    const done = await Promise.all(
      asked.map((run, place) => answerAll(agent, run, answers(["Ada", "Bea"][place] ?? "", "Tea"))),
    );
    expect(done.map(({ tool_calls: [call] }) => call?.output)).toEqual(["Tea for Ada.", "Tea for Bea."]);
  });
});
