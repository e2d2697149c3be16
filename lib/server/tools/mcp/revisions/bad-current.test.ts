// Servers that speak a revision of before 2026-07-28 well, and that one badly.
import { beforeEach, describe, expect, test } from "vitest";
import { DONE, oddMcpInstallation } from "@/lib/testing/fixtures/odd-mcp-fixture";
import type { OddReply } from "@/lib/testing/servers/mcp/odd-mcp-server";

const { odd, own, good, answer, answerCurrent, add, acceptReadable, stateOf } = await oddMcpInstallation();
beforeEach(() => {
  odd.speaks = "both";
  answer("tools/list", { result: { tools: [acting, good] } });
  answer("tools/call", { result: { content: [DONE] } });
});

/** A tool that must not run twice. */
const acting = { name: "acting", inputSchema: { type: "object" }, annotations: { destructiveHint: false } };
const PAGE = { type: "text/html", body: "<html><title>Nothing here</title></html>" };
const SESSION = { status: 400, error: { code: -32_000, message: "Bad Request: No valid session ID" }, id: null };

const callsOf = () => odd.reached.filter((method) => method === "tools/call").length;
const call = async (agent?: string) => {
  const run = await own.say(agent ?? (await own.addAgent()), { name: "mcp__own__acting" });
  return run.tool_calls[0];
};

describe("a server is spoken to as before, with all its tools, if it answers the new revision with", () => {
  test.each<[string, OddReply]>([
    ["an unknown method", { error: { code: -32_601, message: "Method not found" } }],
    ["an unknown method and its status", { status: 404, error: { code: -32_601, message: "Method not found" } }],
    ["an error for another request", { error: { code: -32_600, message: "Invalid Request" }, id: null }],
    ["that it is not initialized", { error: { code: -32_602, message: "Received before initialization" } }],
    ["the revisions it knows", { status: 400, error: { code: -32_022, message: "No", data: { supported: [] } } }],
    ["an error that is a text", { error: "What?" }],
    ["an error without words", { error: {} }],
    ["that a session is missing", SESSION],
    ["a page and 400", { status: 400, ...PAGE }],
    ["a page and 404", { status: 404, ...PAGE }],
    ["nothing and 405", { status: 405, body: "" }],
    ["nothing and 406", { status: 406, body: "" }],
    ["nothing and 415", { status: 415, body: "" }],
    ["a page and 500", { status: 500, ...PAGE }],
    ["a page and 502", { status: 502, ...PAGE }],
    ["a page that is well", PAGE],
    ["an empty body", { body: "" }],
    ["no content", { status: 204, body: "" }],
    ["that it will answer later", { status: 202, body: "" }],
    ["a redirect", { status: 302, body: "" }],
    ["JSON that is cut", { body: '{"jsonrpc": "2.0", "result": {"supportedV' }],
    ["a stream without an answer", { events: [], isCut: true }],
    ["a connection that breaks", { events: [], isBroken: true }],
    ["silence", { isSilent: true }],
    ["an empty result", { result: {} }],
    ["revisions of the future alone", { result: { supportedVersions: ["2031-01-01"], capabilities: { tools: {} } } }],
    ["revisions that are no list", { result: { supportedVersions: { "2026-07-28": true } } }],
    ["its greeting", { result: { protocolVersion: "2025-06-18", capabilities: {}, serverInfo: { name: "odd" } } }],
  ])("%s", async (_, reply) => {
    answerCurrent("server/discover", reply);
    expect(await add()).toMatchObject({ state: "connected", awayReason: null, facts: { protocol: "2025-06-18" } });
    expect(await stateOf()).toEqual({ acting: "new", good: "new" });
    await acceptReadable();
    const asked = odd.reached.filter((method) => method === "server/discover").length;
    expect(await call()).toMatchObject({ output: "ORDER 4 SHIPPED" });
    expect(callsOf()).toBe(1);
    expect(odd.reached.filter((method) => method === "server/discover")).toHaveLength(asked);
  });

  test.each<[string, OddReply]>([
    ["no list of its tools", { error: { code: -32_601, message: "Method not found" } }],
    ["an error instead of its tools", { error: { code: -32_603, message: "Internal error" } }],
    ["a page instead of its tools", { status: 500, ...PAGE }],
    ["a page that is well instead of its tools", PAGE],
    ["the wish for a session before its tools", SESSION],
    ["no tools", { result: { tools: [] } }],
    ["a result without its tools", { result: {} }],
    ["tools that can't be read", { result: { tools: [null, 5] } }],
    ["some of its tools", { result: { tools: [good] } }],
    ["acceptance instead of its tools", { status: 202, body: "" }],
    ["a stream that breaks instead of its tools", { events: [], isBroken: true }],
  ])("that it speaks it, and %s", async (_, reply) => {
    answerCurrent("tools/list", reply);
    expect(await add()).toMatchObject({ state: "connected", awayReason: null, facts: { protocol: "2025-06-18" } });
    expect(await stateOf()).toEqual({ acting: "new", good: "new" });
    await acceptReadable();
    expect(await call()).toMatchObject({ output: "ORDER 4 SHIPPED" });
    expect(callsOf()).toBe(1);
  });

  test.each<[string, OddReply]>([
    ["an unknown method", { error: { code: -32_601, message: "Method not found" } }],
    ["a header it does not know", { status: 400, error: { code: -32_020, message: "Header mismatch" } }],
    ["a revision it does not know after all", { status: 400, error: { code: -32_022, message: "Unsupported" } }],
    ["the wish for a session", SESSION],
    ["that it is not initialized", { error: { code: -32_600, message: "Server not initialized" } }],
    ["404", { status: 404, ...PAGE }],
    ["405", { status: 405, body: "" }],
    ["406", { status: 406, body: "" }],
    ["415", { status: 415, body: "" }],
    ["501", { status: 501, ...PAGE }],
  ])("all but its calls, which it refuses with %s: they are made once", async (_, reply) => {
    await add();
    await acceptReadable();
    answerCurrent("tools/call", reply);
    expect(await call()).toMatchObject({ output: "ORDER 4 SHIPPED" });
    // The first one was refused.
    expect(callsOf()).toBe(2);
    expect(await call()).toMatchObject({ output: "ORDER 4 SHIPPED" });
    expect(callsOf()).toBe(3);
  });
});

test.each<[string, OddReply]>([
  ["a page and 500", { status: 500, ...PAGE }],
  ["a page and 400", { status: 400, ...PAGE }],
  ["a page that is well", PAGE],
  ["acceptance alone", { status: 202, body: "" }],
  ["a stream without an answer", { events: [], isCut: true }],
  ["JSON that is no message", { body: "{}" }],
])(
  "a call that is answered with %s may have run and is not repeated; the next one goes out as before",
  async (_, reply) => {
    await add();
    await acceptReadable();
    const agent = await own.addAgent();
    answerCurrent("tools/call", reply);
    expect((await call(agent))?.error).toBeTruthy();
    expect(callsOf()).toBe(1);
    expect(await call(agent)).toMatchObject({ output: "ORDER 4 SHIPPED" });
    expect(callsOf()).toBe(2);
  },
);

test("a call that is not answered in time is not repeated; the next one goes out as before", async () => {
  await add();
  await acceptReadable();
  const hurried = await own.addAgent({ tool_settings: { timeout_ms: 300 } });
  answerCurrent("tools/call", { isSilent: true });
  expect((await call(hurried))?.error).toContain("did not finish within 300 ms");
  expect(callsOf()).toBe(1);
  expect(await call()).toMatchObject({ output: "ORDER 4 SHIPPED" });
  expect(callsOf()).toBe(2);
});

test("a server that never gives its tools in the new revision is asked as before within seconds, and only once", {
  timeout: 60_000,
}, async () => {
  answerCurrent("tools/list", { isSilent: true });
  const begun = Date.now();
  expect(await add()).toMatchObject({ state: "connected", awayReason: null, facts: { protocol: "2025-06-18" } });
  expect(Date.now() - begun).toBeLessThan(10_000);
  expect(await stateOf()).toEqual({ acting: "new", good: "new" });
  await acceptReadable();
  const again = Date.now();
  expect(await call()).toMatchObject({ output: "ORDER 4 SHIPPED" });
  expect(Date.now() - again).toBeLessThan(5_000);
});

test("a server that stops giving its tools in the new revision is called as before, in the same run", {
  timeout: 60_000,
}, async () => {
  expect(await add()).toMatchObject({ facts: { protocol: "2026-07-28" } });
  await acceptReadable();
  answerCurrent("tools/list", { isSilent: true });
  const begun = Date.now();
  expect(await call()).toMatchObject({ output: "ORDER 4 SHIPPED" });
  expect(Date.now() - begun).toBeLessThan(15_000);
  expect(callsOf()).toBe(1);
});

test("a server that gives its tools in no revision is away after the usual time", { timeout: 60_000 }, async () => {
  answerCurrent("tools/list", { isSilent: true });
  answer("tools/list", { isSilent: true });
  const begun = Date.now();
  expect(await add()).toMatchObject({ state: "away", awayReason: expect.stringMatching(/in time|seconds/) });
  expect(Date.now() - begun).toBeLessThan(35_000);
});

test("an error of a tool is the tool's, and the server is spoken to as it was", async () => {
  await add();
  await acceptReadable();
  const agent = await own.addAgent();
  answerCurrent("tools/call", { error: { code: -32_603, message: "The shop is closed." } });
  expect((await call(agent))?.error).toContain("The shop is closed.");
  expect((await call(agent))?.error).toContain("The shop is closed.");
  expect(callsOf()).toBe(2);
});

test("a tool that the new revision has lost meanwhile is called as before", async () => {
  await add();
  await acceptReadable();
  answerCurrent("tools/list", { result: { tools: [good] } });
  expect(await call()).toMatchObject({ output: "ORDER 4 SHIPPED" });
  expect(callsOf()).toBe(1);
});

test("a server that speaks all revisions well is spoken to in the newest", async () => {
  expect(await add()).toMatchObject({
    state: "connected",
    facts: { protocol: "2026-07-28", name: "odd", version: "1" },
  });
  await acceptReadable();
  odd.reached.length = 0;
  expect(await call()).toMatchObject({ output: "ORDER 4 SHIPPED" });
  expect(odd.reached).not.toContain("initialize");
});

test("a server that gives up the revisions before is spoken to in the new one from then on", async () => {
  odd.speaks = "earlier";
  expect(await add()).toMatchObject({ facts: { protocol: "2025-06-18" } });
  await acceptReadable();
  const agent = await own.addAgent();
  expect(await call(agent)).toMatchObject({ output: "ORDER 4 SHIPPED" });
  odd.speaks = "current";
  odd.sessions.clear();
  odd.refusal = { status: 404, body: "" };
  expect(await call(agent)).toMatchObject({ output: "ORDER 4 SHIPPED" });
  const { facts } = await own.server().database.mcpServer.findUniqueOrThrow({ where: { id: "own" } });
  expect(JSON.parse(facts ?? "")).toMatchObject({ protocol: "2026-07-28", name: "odd" });
});

test("a server that learns the new revision is spoken to in it once it is asked again", async () => {
  odd.speaks = "earlier";
  expect(await add()).toMatchObject({ facts: { protocol: "2025-06-18" } });
  odd.speaks = "both";
  await own.refreshServer();
  const { facts } = await own.server().database.mcpServer.findUniqueOrThrow({ where: { id: "own" } });
  expect(JSON.parse(facts ?? "")).toMatchObject({ protocol: "2026-07-28" });
});

test("a server that learns the new revision and describes an accepted tool otherwise there keeps it as it was", async () => {
  odd.speaks = "earlier";
  await add();
  await acceptReadable();
  odd.speaks = "both";
  answerCurrent("tools/list", {
    result: {
      tools: [
        { ...acting, title: "Act" },
        { ...good, description: "New." },
      ],
    },
  });
  await own.refreshServer();
  expect(await stateOf()).toEqual({ acting: "pinned", good: "pinned" });
  expect(await call()).toMatchObject({ output: "ORDER 4 SHIPPED" });
});

test("a greeting that names an unknown revision is taken for the one that was asked for", async () => {
  odd.speaks = "earlier";
  const greeting = { protocolVersion: "2026-07-28", capabilities: { tools: {} }, serverInfo: { name: "odd" } };
  answer("initialize", { result: greeting });
  expect(await add()).toMatchObject({ state: "connected" });
  expect(await stateOf()).toEqual({ acting: "new", good: "new" });
});

test("a server that speaks nothing well is away, with the words of the revision that came further", async () => {
  answerCurrent("server/discover", { status: 404, ...PAGE });
  answer("initialize", { status: 503, type: "text/html", body: "<title>Deploying</title>" });
  expect(await add()).toMatchObject({ state: "away", awayReason: "It answered with status 503: Deploying" });
});
