import { beforeEach, describe, expect, test } from "vitest";
import { DONE, ODD_TRANSPORTS, oddMcpInstallation } from "@/lib/testing/fixtures/odd-mcp-fixture";

const { odd, over, call } = await oddMcpInstallation();

describe.each(ODD_TRANSPORTS)("what a server sends over %s before a result changes nothing", (transport) => {
  beforeEach(() => {
    over.transport = transport;
  });
  const message = (fields: object) => ({ jsonrpc: "2.0", ...fields });
  const changed = message({ method: "notifications/tools/list_changed" });

  test.each<[string, unknown[]]>([
    [
      "an answer to nothing",
      [message({ id: 999, result: {} }), message({ id: "x", error: { code: 1, message: "no" } })],
    ],
    ["that its tools changed, two hundred times", Array.from({ length: 200 }, () => changed)],
    [
      "progress of no call",
      [message({ method: "notifications/progress", params: { progressToken: 77, progress: 1 } })],
    ],
    [
      "progress that is no number",
      [message({ method: "notifications/progress", params: { progressToken: 0, progress: "half", total: null } })],
    ],
    ["that another call was cancelled", [message({ method: "notifications/cancelled", params: { requestId: 999 } })]],
    ["a notification of its own", [message({ method: "vendor/odd", params: [1, 2] })]],
    [
      "a log line of no level",
      [message({ method: "notifications/message", params: { level: "loud", data: { a: [null] } } })],
    ],
    ["a log line without data", [message({ method: "notifications/message" })]],
    ["a ping", [message({ id: "ping-1", method: "ping" })]],
    ["a question for roots", [message({ id: 7, method: "roots/list" })]],
    [
      "a question for a model, without anything in it",
      [message({ id: 8, method: "sampling/createMessage", params: { messages: "hi" } })],
    ],
    [
      "a question for people that nobody could answer",
      [message({ id: 9, method: "elicitation/create", params: { message: 5, requestedSchema: [] } })],
    ],
    ["a question that is unknown", [message({ id: 10, method: "tasks/list", params: null })]],
    ["messages in a list", [[message({ method: "notifications/initialized" }), changed]]],
    ["values that are no messages", [null, 7, "text", {}, { jsonrpc: "1.0", method: 5 }]],
  ])("%s", async (_, events) => {
    const made = await call({ result: { content: [DONE] }, events });
    expect(made).toEqual({ output: "ORDER 4 SHIPPED", error: undefined });
    expect(odd.reached.filter((method) => method === "tools/call")).toHaveLength(1);
  });

  test.each<[string, unknown, RegExp]>([
    [
      "five thousand parts",
      { content: Array.from({ length: 5_000 }, (_, place) => ({ type: "text", text: `part ${place}` })) },
      /^part 0\n\npart 1\n/,
    ],
    ["three million characters", { content: [{ type: "text", text: "x".repeat(3_000_000) }] }, /^xxx/],
    ["signs that no database takes", { content: [{ type: "text", text: "a\u0000b\ud800c" }] }, /^a.?b.?c$/],
    [
      "a blob that is no base64",
      { content: [{ type: "resource", resource: { uri: "a:1", blob: "%%%", mimeType: 7 } }, DONE] },
      /ORDER 4 SHIPPED$/,
    ],
    ["parts by their number", { content: { 0: DONE } }, /ORDER 4 SHIPPED/],
    ["a list in a list", { content: [[DONE]] }, /ORDER 4 SHIPPED/],
    [
      "deep structured content",
      { structuredContent: JSON.parse(`${'{"a":'.repeat(2_000)}1${"}".repeat(2_000)}`) },
      /^\{"a":/,
    ],
  ])("%s are read", async (_, result, output) => {
    const made = await call({ result });
    expect(made.error).toBeUndefined();
    expect(made.output).toMatch(output);
    expect((made.output ?? "").length).toBeLessThan(200_000);
  });
});

describe("a result is read under the wrong type:", () => {
  const message = JSON.stringify({ jsonrpc: "2.0", result: { content: [DONE] } });

  test.each([
    ["a document that is called a stream", "text/event-stream", message],
    ["a document in lines that is called a stream", "text/event-stream", JSON.stringify(JSON.parse(message), null, 2)],
    ["a stream that is called a document", "application/json", `event: message\ndata: ${message}\n\n`],
    ["a stream that is called text, without its last line", "text/plain", `data: ${message}`],
  ])("%s", async (_, type, body) => {
    over.transport = "http";
    expect(await call({ type, body })).toMatchObject({ output: "ORDER 4 SHIPPED" });
  });
});
