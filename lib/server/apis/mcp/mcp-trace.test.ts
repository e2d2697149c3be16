import { beforeAll, describe, expect, test } from "vitest";
import { POST as mcp } from "@/app/mcp/route";
import { approvalServer } from "@/lib/testing/fixtures/approval-fixture";

const { server } = approvalServer({}, () => ({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" }));

let key: string;
beforeAll(async () => {
  key = await server().addKey("member", ["read", "chat"]);
});

const OUTER = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
const INNER = "00-11111111111111111111111111111111-2222222222222222-01";
const OF_OUTER = { traceId: "4bf92f3577b34da6a3ce929d0e0e4736", spanId: "00f067aa0ba902b7" };
const OF_INNER = { traceId: "1".repeat(32), spanId: "2".repeat(16) };

const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};
const CURRENT = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "asks" };

describe.each([
  ["2025-11-25", {}, { "mcp-protocol-version": "2025-11-25" }],
  ["2026-07-28", ENVELOPE, CURRENT],
])("a call of %s", (_, envelope, headers) => {
  /** What the run that a call starts keeps of the caller's trace. */
  async function traceOf(header: string | null, meta: Record<string, unknown> = {}): Promise<unknown> {
    const reply = await server().call(mcp, {
      path: "/mcp",
      key,
      headers: {
        ...{ accept: "application/json, text/event-stream", "content-type": "application/json" },
        ...headers,
        ...(header === null ? {} : { traceparent: header }),
      },
      body: {
        ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
        params: { name: "asks", arguments: { message: "Hello" }, _meta: { ...envelope, ...meta } },
      },
    });
    expect(await reply.text()).toContain("done");
    const run = await server().database.run.findFirstOrThrow({ orderBy: { createdAt: "desc" } });
    return JSON.parse(run.input).traceparent;
  }

  test("puts the run into the caller's trace, which the header names", async () => {
    expect(await traceOf(OUTER)).toEqual(OF_OUTER);
  });

  test("may name it in its own meta, which comes first", async () => {
    expect(await traceOf(null, { traceparent: INNER })).toEqual(OF_INNER);
    expect(await traceOf(OUTER, { traceparent: INNER })).toEqual(OF_INNER);
  });

  test.each(["", "00", "00-0-0-01", `00-${"0".repeat(32)}-${"0".repeat(16)}-01`, OUTER.toUpperCase(), "ff-x"])(
    'with the broken "%s" is made, and its run is in no other trace',
    async (broken) => {
      expect(await traceOf(broken)).toBeUndefined();
      expect(await traceOf(null, { traceparent: broken })).toBeUndefined();
      expect(await traceOf(OUTER, { traceparent: broken })).toEqual(OF_OUTER);
    },
  );

  test.each([5, null, {}, ["00"]])("with %j instead of a text is not refused for it", async (broken) => {
    expect(await traceOf(OUTER, { traceparent: broken })).toEqual(OF_OUTER);
  });
});
