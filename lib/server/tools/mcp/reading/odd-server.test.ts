import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { ODD_TRANSPORTS, oddMcpInstallation } from "@/lib/testing/fixtures/odd-mcp-fixture";
import type { OddReply } from "@/lib/testing/servers/mcp/odd-mcp-server";

const { odd, own, over, good, answer, add, acceptReadable, call } = await oddMcpInstallation();
beforeEach(() => {
  odd.reset();
  over.transport = "http";
});
afterAll(() => odd.close());

const VALIDATOR = /invalid_|expected|ZodError|issues|-32\d{3}|\[\s*\{/i;
const stateOf = async () => Object.fromEntries((await own.toolsOf()).map(({ name, state }) => [name, state]));

describe.each(ODD_TRANSPORTS)(
  "a list of tools over %s with something odd in it still has the good tool",
  (transport) => {
    beforeEach(() => {
      over.transport = transport;
    });

    test.each<[string, unknown, string, string]>([
      ["no type in its schema", { name: "odd", inputSchema: {} }, "odd", "new"],
      ["no schema", { name: "odd" }, "odd", "new"],
      [
        "null for whatever may be left out",
        { name: "odd", title: null, description: null, inputSchema: null, annotations: null },
        "odd",
        "new",
      ],
      ["a list of types", { name: "odd", inputSchema: { type: ["object", "null"] } }, "odd", "new"],
      [
        "an empty list for no properties",
        { name: "odd", inputSchema: { type: "object", properties: [] } },
        "odd",
        "new",
      ],
      ["odd properties", { name: "odd", inputSchema: { properties: { a: true, b: "string", c: null } } }, "odd", "new"],
      ["odd required names", { name: "odd", inputSchema: { type: "object", required: "a" } }, "odd", "new"],
      ["a description in pieces", { name: "odd", description: ["a", "b"] }, "odd", "new"],
      ["a description as an object", { name: "odd", description: { en: "a" } }, "odd", "new"],
      ["hints of another type", { name: "odd", annotations: { readOnlyHint: "yes", title: 5 } }, "odd", "new"],
      [
        "odd fields nobody needs",
        { name: "odd", icons: "none", _meta: 3, execution: [], outputSchema: 1 },
        "odd",
        "new",
      ],
      ["arguments that are a text", { name: "odd", inputSchema: { type: "string" } }, "odd", "unreadable"],
      ["a schema that is a text", { name: "odd", inputSchema: "see the manual" }, "odd", "unreadable"],
      ["no name", { description: "What is it?" }, "(entry 1)", "unreadable"],
      ["a name that is a number", { name: 7 }, "(entry 1)", "unreadable"],
      ["an entry that is null", null, "(entry 1)", "unreadable"],
      ["an endless name", { name: "n".repeat(201) }, "(entry 1)", "unreadable"],
    ])("%s", async (_, entry, name, state) => {
      answer("tools/list", { result: { tools: [entry, good] } });
      expect(await add()).toMatchObject({ state: "connected", awayReason: null });
      expect(await stateOf()).toEqual({ [name]: state, good: "new" });
    });

    test.each<[string, OddReply[]]>([
      ["an empty cursor", [{ result: { tools: [good], nextCursor: "" } }]],
      ["a cursor of null", [{ result: { tools: [good], nextCursor: null } }]],
      ["a cursor that never moves", [{ result: { tools: [good], nextCursor: "a" } }]],
      [
        "cursors that change and bring nothing new",
        Array.from({ length: 60 }, (_, n) => ({ result: { tools: [good], nextCursor: `${n}` } })),
      ],
      ["a number as cursor", [{ result: { tools: [], nextCursor: 2 } }, { result: { tools: [good] } }]],
      [
        "a cursor the server itself refuses",
        [{ result: { tools: [good], nextCursor: "x" } }, { error: { code: -32_602, message: "Bad cursor" } }],
      ],
      ["an empty page before the last", [{ result: { tools: [], nextCursor: "x" } }, { result: { tools: [good] } }]],
      ["a list without its envelope", [{ result: [good] }]],
      ["tools by name", [{ result: { tools: { good: { ...good, name: undefined } } } }]],
      ["meta of null", [{ result: { tools: [good], _meta: null } }]],
      ["an error of null beside the result", [{ result: { tools: [good] }, error: null }]],
      ["the answer's id as a text", [{ result: { tools: [good] }, id: "1" }]],
      ["the answer without an id", [{ result: { tools: [good] }, id: null }]],
      ["JSON under another name", [{ result: { tools: [good] }, type: "text/plain" }]],
      ["a stream with noise before it", [{ result: { tools: [good] }, events: ["hello", { jsonrpc: "2.0" }, 5] }]],
    ])("%s", async (_, replies) => {
      answer("tools/list", ...replies);
      expect(await add()).toMatchObject({ state: "connected", awayReason: null });
      expect(await stateOf()).toEqual({ good: "new" });
      expect(odd.reached.filter((method) => method === "tools/list").length).toBeLessThan(4);
    });
  },
);

test("a tool that can't be read says why, is not accepted and is not offered", async () => {
  answer("tools/list", { result: { tools: [{ name: "odd", inputSchema: { type: "array" } }, good] } });
  await add();
  const odds = (await own.toolsOf()).find(({ name }) => name === "odd");
  expect(odds).toMatchObject({ unreadable: "Its arguments would be an array, but tools take named arguments." });
  const { POST: accept } = await import("@/app/api/mcp-servers/[serverId]/accept/route");
  const refused = await own.call(accept, "own", { tools: [{ name: "odd", hash: odds?.hash }] });
  expect(refused.status).toBe(400);
  await acceptReadable();
  await own.say(await own.addAgent());
  expect(own.offered()).toEqual(["mcp__own__good"]);
});

test("an accepted tool that can't be read any more is withdrawn, and returns as it was", async () => {
  answer("tools/list", { result: { tools: [good] } });
  await add();
  await acceptReadable();
  answer("tools/list", { result: { tools: [{ ...good, inputSchema: 5 }] } });
  await own.refreshServer();
  expect(await stateOf()).toEqual({ good: "unreadable" });
  const run = await own.say(await own.addAgent(), { name: "mcp__own__good" });
  expect(run.tool_calls[0]?.error).toContain("withdrawn until an administrator has looked");
  answer("tools/list", { result: { tools: [good] } });
  await own.refreshServer();
  expect(await stateOf()).toEqual({ good: "pinned" });
});

test.each<[string, unknown]>([
  ["capabilities as flags", { capabilities: { tools: true, logging: null } }],
  ["no version of the server", { serverInfo: { name: "odd" } }],
  ["nothing but the protocol", { capabilities: null, serverInfo: null, instructions: 5 }],
])("a greeting with %s connects", async (_, change) => {
  const greeting = {
    protocolVersion: "2025-06-18",
    capabilities: { tools: {} },
    serverInfo: { name: "odd", version: "1" },
  };
  answer("initialize", { result: { ...greeting, ...(change as object) } });
  answer("tools/list", { result: { tools: [good] } });
  expect(await add()).toMatchObject({ state: "connected" });
  expect(await stateOf()).toEqual({ good: "new" });
});

const done = { type: "text", text: "ORDER 4 SHIPPED" };

describe.each(ODD_TRANSPORTS)("a result over %s with something odd in it is what the model reads", (transport) => {
  beforeEach(() => {
    over.transport = transport;
  });

  test.each<[string, OddReply, string]>([
    [
      "content of an unknown kind",
      { result: { content: [{ type: "table", rows: [1] }, done] } },
      '{"type":"table","rows":[1]}\n\nORDER 4 SHIPPED',
    ],
    ["content without a kind", { result: { content: [{ value: 4 }, done] } }, '{"value":4}\n\nORDER 4 SHIPPED'],
    ["a text that is a number", { result: { content: [{ type: "text", text: 4 }] } }, '{"type":"text","text":4}'],
    ["a list within the list", { result: { content: [[done]] } }, "ORDER 4 SHIPPED"],
    ["a kind in other letters", { result: { content: [{ ...done, type: "Text" }] } }, "ORDER 4 SHIPPED"],
    ["a text under another kind", { result: { content: [{ ...done, type: "application/json" }] } }, "ORDER 4 SHIPPED"],
    ["a text of null", { result: { content: [{ type: "text", text: null }, done] } }, "ORDER 4 SHIPPED"],
    [
      "an image in Anthropic's form",
      { result: { content: [{ type: "image", source: { media_type: "image/png", data: "AAAA" } }] } },
      "[image: image/png, 1 KB]",
    ],
    [
      "a link whose other fields are null",
      {
        result: {
          content: [{ type: "resource_link", uri: "a:1", name: "a", title: null, size: null, annotations: null }],
        },
      },
      "a: a:1",
    ],
    ["bare texts", { result: { content: ["ORDER 4 SHIPPED", null] } }, "ORDER 4 SHIPPED"],
    ["one part without a list", { result: { content: done } }, "ORDER 4 SHIPPED"],
    ["a text as content", { result: { content: "ORDER 4 SHIPPED" } }, "ORDER 4 SHIPPED"],
    ["a text as result", { result: "ORDER 4 SHIPPED" }, "ORDER 4 SHIPPED"],
    ["structured content alone", { result: { structuredContent: { order: 4 } } }, '{"order":4}'],
    ["structured content and null", { result: { content: null, structuredContent: { order: 4 } } }, '{"order":4}'],
    ["a structured list", { result: { content: [], structuredContent: [4] } }, "[4]"],
    ["fields of its own", { result: { order: 4 } }, '{"order":4}'],
    ["the result of the first protocol", { result: { toolResult: { order: 4 } } }, '{"toolResult":{"order":4}}'],
    [
      "an image without its type",
      { result: { content: [{ type: "image", data: "AAAA" }, done] } },
      "[image: image, 1 KB]\n\nORDER 4 SHIPPED",
    ],
    [
      "an image without data",
      { result: { content: [{ type: "image" }, done] } },
      '{"type":"image"}\n\nORDER 4 SHIPPED',
    ],
    ["a link without a name", { result: { content: [{ type: "resource_link", uri: "a:1" }] } }, "a:1"],
    ["a resource without an address", { result: { content: [{ type: "resource", resource: { text: "hi" } }] } }, "hi"],
    ["a list of parts instead of a result", { result: [done] }, "ORDER 4 SHIPPED"],
    [
      "odd annotations",
      { result: { content: [{ ...done, annotations: { audience: "all", priority: "high" } }] } },
      "ORDER 4 SHIPPED",
    ],
    [
      "null for flags",
      { result: { content: [done], isError: null, _meta: null, structuredContent: null } },
      "ORDER 4 SHIPPED",
    ],
    [
      "odd meta in a stream",
      { result: { content: [done], _meta: { progressToken: {} } }, events: [] },
      "ORDER 4 SHIPPED",
    ],
    [
      "odd progress before it",
      { result: { content: [done] }, events: [{ jsonrpc: "2.0", method: "notifications/progress", params: [] }] },
      "ORDER 4 SHIPPED",
    ],
  ])("%s", async (_, reply, output) => {
    const made = await call(reply);
    expect(made.error).toBeUndefined();
    expect(made.output).toBe(output);
    expect(odd.reached.filter((method) => method === "tools/call")).toHaveLength(1);
  });

  test("a large unknown part is cut, and the rest stays whole", async () => {
    const { output = "" } = await call({ result: { content: [{ type: "blob", data: "x".repeat(90_000) }, done] } });
    expect(output).toMatch(/characters in all\]\n\nORDER 4 SHIPPED$/);
    expect(output.length).toBeLessThan(4_200);
  });
});

describe.each(["http", "current"] as const)("a call over %s that fails says so in a sentence", (transport) => {
  beforeEach(() => {
    over.transport = transport;
  });
  test.each<[string, OddReply, RegExp]>([
    [
      "an error with the server's words",
      { error: { code: -32_603, message: "The shop is closed." } },
      /The shop is closed\./,
    ],
    [
      "an error whose cause stands beside its words",
      { error: { code: -32_000, message: "The tool failed.", data: { detail: "The disk is full." } } },
      /The tool failed: The disk is full\./,
    ],
    [
      "an error whose cause is a text",
      { error: { code: -32_000, message: "The tool failed", data: "ENOSPC: no space left" } },
      /The tool failed: ENOSPC: no space left/,
    ],
    [
      "an error that says the same beside its words",
      { error: { code: -32_000, message: "The disk is full.", data: { message: "disk is full" } } },
      /The disk is full\.$/,
    ],
    ["the mark of Python's field", { result: { content: [done], is_error: true } }, /^ORDER 4 SHIPPED$/],
    [
      "a page with a heading alone",
      { status: 503, type: "text/html", body: "<html><body><h1>Closed &amp; locked</h1></body></html>" },
      /status 503: Closed & locked/,
    ],
    ["an error that is a text", { error: "The shop is closed." }, /The shop is closed\./],
    ["an error without words", { error: { code: "-32000" } }, /./],
    [
      "a result marked as an error",
      { result: { content: [{ type: "text", text: "no such order" }], isError: true } },
      /^no such order$/,
    ],
    [
      "a validator's output in a result",
      {
        result: {
          content: [
            {
              type: "text",
              text: `Bad arguments: ${JSON.stringify([{ code: "invalid_type", path: ["city"], message: "Required" }])}`,
            },
          ],
          isError: true,
        },
      },
      /^Bad arguments: city: Required$/,
    ],
    ["a number as the mark of an error", { result: { content: [done], isError: 1 } }, /^ORDER 4 SHIPPED$/],
    ["the mark in other letters", { result: { content: [done], isError: "True" } }, /^ORDER 4 SHIPPED$/],
    [
      "an error in the structured part alone",
      { result: { isError: true, structuredContent: { error: { code: 4, message: "The shop is closed." } } } },
      /^The shop is closed\.$/,
    ],
    [
      "Pydantic's output",
      {
        result: {
          isError: true,
          content: [
            {
              type: "text",
              text: "Error executing tool x: 2 validation errors for xArguments\ncity\n  Field required [type=missing, input_value={}, input_type=dict]\n    For further information visit https://errors.pydantic.dev/2.11/v/missing\ndays.0\n  Input should be a valid integer [type=int_type, input_value='a', input_type=str]\n    For further information visit https://errors.pydantic.dev/2.11/v/int_type",
            },
          ],
        },
      },
      /^Error executing tool x: city: Field required; days\.0: Input should be a valid integer$/,
    ],
    [
      "a trace of Python",
      {
        result: {
          isError: true,
          content: [
            {
              type: "text",
              text: 'Traceback (most recent call last):\n  File "/srv/x.py", line 3, in x\nValueError: no such order',
            },
          ],
        },
      },
      /^ValueError: no such order$/,
    ],
    [
      "a validator's output",
      {
        error: {
          code: -32_602,
          message: `MCP error -32602: Invalid arguments: ${JSON.stringify([{ code: "invalid_type", expected: "string", path: ["city"], message: "Required" }])}`,
        },
      },
      /Invalid arguments: city: Required/,
    ],
    [
      "a page instead of an answer",
      { type: "text/html", body: "<html><title>Welcome</title></html>" },
      /answered with text\/html instead of MCP/,
    ],
    ["no JSON", { body: "{oops" }, /not JSON/],
    ["JSON that is no message", { body: "{}" }, /not an MCP message/],
    [
      "a page with a status",
      { status: 502, type: "text/html", body: "<html><title>502 Bad Gateway</title><p>nginx" },
      /status 502: 502 Bad Gateway/,
    ],
    [
      "a stream that breaks while the server stays",
      { events: [], isBroken: true },
      /broke off before the result, so what/,
    ],
    ["a stream without an answer", { events: [], isCut: true }, /ended its answer before the result/],
    [
      "acceptance, with no stream that could bring the answer",
      { status: 202, body: "" },
      /no stream is open on which it could/,
    ],
    ["no content at all", { status: 204, body: "" }, /no stream is open on which it could/],
  ])("%s", async (_, reply, words) => {
    const { error = "" } = await call(reply);
    expect(error).toMatch(words);
    expect(error).not.toMatch(VALIDATOR);
  });
});

describe("a server that has forgotten its sessions", () => {
  const acting = { name: "good", inputSchema: { type: "object" }, annotations: { destructiveHint: false } };
  const ready = async () => {
    answer("tools/list", { result: { tools: [acting] } });
    answer("tools/call", { result: { content: [done] } });
    await add();
    await acceptReadable();
    const agent = await own.addAgent();
    await own.say(agent, { name: "mcp__own__good" });
    odd.reached.length = 0;
    return agent;
  };
  const calls = () => odd.reached.filter((method) => method === "tools/call").length;

  test.each([
    [404, JSON.stringify({ jsonrpc: "2.0", error: { code: -32_001, message: "Session not found" }, id: null })],
    [404, "<html><title>404 Not Found</title></html>"],
    [410, ""],
    [400, JSON.stringify({ error: { code: -32_000, message: "Bad Request: No valid session ID provided" } })],
  ])("is asked again in a new one, and nobody notices: %i %s", async (status, body) => {
    const agent = await ready();
    odd.refusal = { status, body };
    odd.sessions.clear();
    const run = await own.say(agent, { name: "mcp__own__good" }, { name: "mcp__own__good" });
    expect(run.tool_calls.map(({ output }) => output)).toEqual(["ORDER 4 SHIPPED", "ORDER 4 SHIPPED"]);
    expect(calls()).toBe(2);
  });

  test("between the check of a tool and its call is asked again, once, and checked again", async () => {
    const agent = await ready();
    odd.replies.set("tools/list", ({ before }) => {
      if (before === 0) odd.sessions.clear();
      return { result: { tools: [before === 0 ? acting : { ...acting, description: "Changed." }] } };
    });
    const run = await own.say(agent, { name: "mcp__own__good" });
    expect(run.tool_calls[0]?.error).toContain("withdrawn until an administrator has looked");
    expect(calls()).toBe(0);
  });

  test("and forgets each new one is given up with a sentence", async () => {
    const agent = await ready();
    odd.replies.set("tools/list", () => {
      odd.sessions.clear();
      return { result: { tools: [acting] } };
    });
    const run = await own.say(agent, { name: "mcp__own__good" });
    expect(run.tool_calls[0]?.error).toBe("The server keeps forgetting its sessions.");
    expect(calls()).toBe(0);
  });

  test("while a call runs does not get it again, and its fate is unknown", async () => {
    const agent = await ready();
    odd.replies.set("tools/call", () => {
      odd.sessions.clear();
      return { events: [], isBroken: true };
    });
    const run = await own.say(agent, { name: "mcp__own__good" });
    expect(run.tool_calls[0]?.error).toMatch(/does not answer.*\nThe call may have run: check before repeating it\.$/);
    expect(calls()).toBe(1);
  });

  test("is asked again for its tools", async () => {
    await ready();
    odd.sessions.clear();
    expect((await own.refreshServer()).status).toBe(200);
    expect(await stateOf()).toEqual({ good: "pinned" });
  });

  test("and is gone altogether is away, and its call has not run", async () => {
    const agent = await ready();
    odd.sessions.clear();
    answer("initialize", { status: 503, type: "text/html", body: "<html><title>Deploying</title></html>" });
    const run = await own.say(agent, { name: "mcp__own__good" });
    expect(run.tool_calls[0]?.error).toMatch(/own does not answer \(It answered with status 503: Deploying\)/);
  });
});
