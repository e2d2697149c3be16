import { beforeEach, describe, expect, test } from "vitest";
import { ODD_TRANSPORTS, oddMcpInstallation } from "@/lib/testing/fixtures/odd-mcp-fixture";
import type { OddReply } from "@/lib/testing/servers/mcp/odd-mcp-server";

const { odd, own, over, good, answer, add, acceptReadable, stateOf } = await oddMcpInstallation();

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
