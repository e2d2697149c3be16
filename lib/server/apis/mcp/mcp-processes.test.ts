// Two processes on one database: requests of one client reach either.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { POST as mcp } from "@/app/mcp/route";
import { approvalServer } from "@/lib/testing/fixtures/approval-fixture";
import { type AnswerElicitation, MCP_CLIENTS, type McpTestClient } from "@/lib/testing/mcp-clients/mcp-clients";
import { type RouteServer, serveRoute } from "@/lib/testing/mcp-clients/route-server";
import { startProcess, type TestProcess } from "@/lib/testing/processes/start-process";
import { writes } from "@/lib/testing/servers/scripted-turns";

let release = () => {};
const gate = new Promise<void>((resolve) => {
  release = resolve;
});
const { server, lastMessages } = approvalServer({
  "Write a.txt": [writes("a.txt"), { text: "Wrote it." }],
  "Write two": [writes("b.txt"), writes("c.txt"), { text: "Wrote both." }],
  "Take long": [{ text: "never", gate }],
});

let here: RouteServer;
let there: TestProcess;
let urls: string[];
let key: string;
beforeAll(async () => {
  here = await serveRoute(mcp, "/mcp");
  const { databaseUrl, dataDirectory, provider } = server();
  there = startProcess("lib/testing/processes/mcp/mcp-host.ts", databaseUrl, dataDirectory, provider.url);
  urls = [here.url, await there.nextLine()];
  key = await server().addKey("member", ["read", "chat"]);
});
afterAll(async () => {
  release();
  there.tell("end");
  await Promise.all([there.ended, here.close()]);
});

const clients: McpTestClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

/** Sends each request to the other process than the one before. */
function inTurn(first: number) {
  let sent = first;
  return (_: string | URL, init?: RequestInit) => {
    sent += 1;
    return fetch(urls[sent % 2] ?? "", init);
  };
}

describe.each(MCP_CLIENTS)("a client of %s whose requests reach two processes in turn", (revision, connect) => {
  const open = async (first: number, answer?: AnswerElicitation) => {
    const client = await connect({ url: here.url, key, answer, fetch: inTurn(first) });
    clients.push(client);
    return client;
  };
  const allow: AnswerElicitation = () => ({ action: "accept", content: { decision: "allow" } });

  test.each([0, 1])("is offered the same tools by both, and gets its answers (%i)", async (first) => {
    const client = await open(first);
    expect(client.protocol).toBe(revision);
    const lists = [await client.tools(), await client.tools()];
    expect(lists[0]).toEqual(lists[1]);
    const replies = [await client.call("asks", { message: "Hello" }), await client.call("asks", { message: "Hello" })];
    expect(replies.map(({ text }) => text)).toEqual(["done", "done"]);
  });

  test.each([0, 1])("is asked by one and answers the other, as often as need be (%i)", async (first) => {
    const asked: string[] = [];
    const client = await open(first, ({ message }) => {
      asked.push(message);
      return { action: "accept", content: { decision: "allow" } };
    });
    expect((await client.call("asks", { message: "Write a.txt" })).text).toBe("Wrote it.");
    expect((await client.call("asks", { message: "Write two" })).text).toBe("Wrote both.");
    expect(asked.map((message) => /[abc]\.txt/.exec(message)?.[0])).toEqual(["a.txt", "b.txt", "c.txt"]);
  });

  test.each([0, 1])("denies through the other, and the agent reads why (%i)", async (first) => {
    const client = await open(first, () => ({
      ...{ action: "accept", content: { decision: "deny", reason: "Not on a Friday." } },
    }));
    expect((await client.call("asks", { message: "Write a.txt" })).text).toBe("Wrote it.");
    expect(lastMessages().at(-1)?.content).toContain("Not on a Friday.");
  });

  test.each([0, 1])("that cancels its call cancels the run, wherever it is (%i)", async (first) => {
    const client = await open(first);
    const leave = new AbortController();
    const { provider, database } = server();
    const before = provider.requests.length;
    const call = client.call("asks", { message: "Take long" }, { signal: leave.signal });
    call.catch(() => undefined);
    await provider.request(before + 1);
    leave.abort();
    await expect(call).rejects.toThrow();
    const { id } = await database.run.findFirstOrThrow({ orderBy: { createdAt: "desc" } });
    await expect.poll(async () => (await database.run.findUniqueOrThrow({ where: { id } })).status).toBe("cancelled");
  });

  test("works beside others of its kind at once", async () => {
    const opened = await Promise.all([open(0, allow), open(1, allow), open(0, allow), open(1, allow)]);
    const replies = await Promise.all(opened.map((client) => client.call("asks", { message: "Write a.txt" })));
    expect(replies.map(({ text }) => text)).toEqual(Array(4).fill("Wrote it."));
  });
});
