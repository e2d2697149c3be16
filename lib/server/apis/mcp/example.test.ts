import { afterAll, beforeAll, expect, test } from "vitest";
import { POST as mcp } from "@/app/mcp/route";
import { runExample } from "@/lib/testing/clients/run-example";
import { approvalServer } from "@/lib/testing/fixtures/approval-fixture";
import { type RouteServer, serveRoute } from "@/lib/testing/mcp-clients/route-server";
import { writes } from "@/lib/testing/servers/scripted-turns";

const { server } = approvalServer({ "Write a.txt": [writes("a.txt"), { text: "Wrote it." }] });

let http: RouteServer;
beforeAll(async () => {
  http = await serveRoute(mcp, "/mcp");
});
afterAll(() => http.close());

async function runClient(words: readonly string[], typed: string): Promise<string> {
  const RINGMASTER_API_KEY = await server().addKey("member", ["read", "chat"]);
  const environment = { RINGMASTER_URL: http.url, RINGMASTER_API_KEY };
  return runExample({ file: "mcp-client/ask.ts", words, environment, typed });
}

test("the example lists the agents as tools", async () => {
  expect(await runClient([], "")).toContain("asks: Sends a message to the agent Asks");
});

test("the example says in a sentence why it is refused", async () => {
  const environment = { RINGMASTER_URL: http.url, RINGMASTER_API_KEY: "rm_wrong" };
  const printed = await runExample({ file: "mcp-client/ask.ts", environment, typed: "" });
  expect(printed).toMatch(/^Version negotiation failed: .*requires authorization.*\n$/);
});

test("the example calls an agent, asks in the terminal and prints the answer", async () => {
  const printed = await runClient(["asks", "Write a.txt"], "allow\n\n");
  expect(printed).toContain("Allow this call of write_file");
  expect(printed).toContain("Wrote it.");
  expect(await server().database.approval.findMany({ select: { status: true } })).toEqual([{ status: "approved" }]);
});
