import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { POST as mcp } from "@/app/mcp/route";
import { approvalServer } from "@/lib/testing/fixtures/approval-fixture";
import { type RouteServer, serveRoute } from "@/lib/testing/mcp-clients/route-server";
import { writes } from "@/lib/testing/servers/scripted-turns";

const { server } = approvalServer({ "Write a.txt": [writes("a.txt"), { text: "Wrote it." }] });

let http: RouteServer;
beforeAll(async () => {
  http = await serveRoute(mcp, "/mcp");
});
afterAll(() => http.close());

/** Runs `examples/mcp-client` with these words, and `typed` in its terminal; returns what it prints. */
async function runExample(words: readonly string[], typed: string): Promise<string> {
  const key = await server().addKey("member", ["read", "chat"]);
  const env = { ...process.env, RINGMASTER_URL: http.url, RINGMASTER_API_KEY: key };
  const program = spawn(process.execPath, ["examples/mcp-client/ask.ts", ...words], { env, stdio: "pipe" });
  program.stdin.end(typed);
  const [printed, complaints] = await Promise.all([text(program.stdout), text(program.stderr), once(program, "close")]);
  return `${printed}${complaints}`;
}

test("the example lists the agents as tools", async () => {
  expect(await runExample([], "")).toContain("asks: Sends a message to the agent Asks");
});

test("the example calls an agent, asks in the terminal and prints the answer", async () => {
  const printed = await runExample(["asks", "Write a.txt"], "allow\n\n");
  expect(printed).toContain("Allow this call of write_file");
  expect(printed).toContain("Wrote it.");
  expect(await server().database.approval.findMany({ select: { status: true } })).toEqual([{ status: "approved" }]);
});
