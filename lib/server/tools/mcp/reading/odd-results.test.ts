import { beforeEach, describe, expect, test } from "vitest";
import { DONE, ODD_TRANSPORTS, oddMcpInstallation } from "@/lib/testing/fixtures/odd-mcp-fixture";
import type { OddReply } from "@/lib/testing/servers/mcp/odd-mcp-server";

const { odd, over, call } = await oddMcpInstallation();

describe.each(ODD_TRANSPORTS)("a result over %s with something odd in it is what the model reads", (transport) => {
  beforeEach(() => {
    over.transport = transport;
  });

  test.each<[string, OddReply, string]>([
    [
      "content of an unknown kind",
      { result: { content: [{ type: "table", rows: [1] }, DONE] } },
      '{"type":"table","rows":[1]}\n\nORDER 4 SHIPPED',
    ],
    ["content without a kind", { result: { content: [{ value: 4 }, DONE] } }, '{"value":4}\n\nORDER 4 SHIPPED'],
    ["a text that is a number", { result: { content: [{ type: "text", text: 4 }] } }, '{"type":"text","text":4}'],
    ["a list within the list", { result: { content: [[DONE]] } }, "ORDER 4 SHIPPED"],
    ["a kind in other letters", { result: { content: [{ ...DONE, type: "Text" }] } }, "ORDER 4 SHIPPED"],
    ["a text under another kind", { result: { content: [{ ...DONE, type: "application/json" }] } }, "ORDER 4 SHIPPED"],
    ["a text of null", { result: { content: [{ type: "text", text: null }, DONE] } }, "ORDER 4 SHIPPED"],
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
    ["one part without a list", { result: { content: DONE } }, "ORDER 4 SHIPPED"],
    ["a text as content", { result: { content: "ORDER 4 SHIPPED" } }, "ORDER 4 SHIPPED"],
    ["a text as result", { result: "ORDER 4 SHIPPED" }, "ORDER 4 SHIPPED"],
    ["structured content alone", { result: { structuredContent: { order: 4 } } }, '{"order":4}'],
    ["structured content and null", { result: { content: null, structuredContent: { order: 4 } } }, '{"order":4}'],
    ["a structured list", { result: { content: [], structuredContent: [4] } }, "[4]"],
    ["fields of its own", { result: { order: 4 } }, '{"order":4}'],
    ["the result of the first protocol", { result: { toolResult: { order: 4 } } }, '{"toolResult":{"order":4}}'],
    [
      "an image without its type",
      { result: { content: [{ type: "image", data: "AAAA" }, DONE] } },
      "[image: image, 1 KB]\n\nORDER 4 SHIPPED",
    ],
    [
      "an image without data",
      { result: { content: [{ type: "image" }, DONE] } },
      '{"type":"image"}\n\nORDER 4 SHIPPED',
    ],
    ["a link without a name", { result: { content: [{ type: "resource_link", uri: "a:1" }] } }, "a:1"],
    ["a resource without an address", { result: { content: [{ type: "resource", resource: { text: "hi" } }] } }, "hi"],
    ["a list of parts instead of a result", { result: [DONE] }, "ORDER 4 SHIPPED"],
    [
      "odd annotations",
      { result: { content: [{ ...DONE, annotations: { audience: "all", priority: "high" } }] } },
      "ORDER 4 SHIPPED",
    ],
    [
      "null for flags",
      { result: { content: [DONE], isError: null, _meta: null, structuredContent: null } },
      "ORDER 4 SHIPPED",
    ],
    [
      "odd meta in a stream",
      { result: { content: [DONE], _meta: { progressToken: {} } }, events: [] },
      "ORDER 4 SHIPPED",
    ],
    [
      "odd progress before it",
      { result: { content: [DONE] }, events: [{ jsonrpc: "2.0", method: "notifications/progress", params: [] }] },
      "ORDER 4 SHIPPED",
    ],
  ])("%s", async (_, reply, output) => {
    const made = await call(reply);
    expect(made.error).toBeUndefined();
    expect(made.output).toBe(output);
    expect(odd.reached.filter((method) => method === "tools/call")).toHaveLength(1);
  });

  test("a large unknown part is cut, and the rest stays whole", async () => {
    const { output = "" } = await call({ result: { content: [{ type: "blob", data: "x".repeat(90_000) }, DONE] } });
    expect(output).toMatch(/characters in all\]\n\nORDER 4 SHIPPED$/);
    expect(output.length).toBeLessThan(4_200);
  });
});
