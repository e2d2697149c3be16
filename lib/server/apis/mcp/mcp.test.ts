import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { POST as mcp } from "@/app/mcp/route";
import { createAgent } from "@/lib/server/agents/publish-version";
import { hashKey } from "@/lib/server/users/find-key-owner";
import { approvalServer } from "@/lib/testing/fixtures/approval-fixture";
import { type AnswerElicitation, MCP_CLIENTS, type McpTestClient } from "@/lib/testing/mcp-clients/mcp-clients";
import { type RouteServer, serveRoute } from "@/lib/testing/mcp-clients/route-server";
import { writes } from "@/lib/testing/servers/scripted-turns";

let release = () => {};
const gate = new Promise<void>((resolve) => {
  release = resolve;
});
const QUESTION = { question: "Which?", options: ["a", "b"] };
const { server, lastMessages } = approvalServer({
  "Write a.txt": [writes("a.txt"), { text: "Wrote it." }],
  "Write two": [writes("b.txt", "c.txt"), { text: "Wrote both." }],
  "Ask me which": [{ calls: [{ name: "ask_user", args: { questions: [QUESTION] } }] }, { text: "Thank you." }],
  Count: [{ text: "Let me see.", calls: [{ name: "calculate", args: { expression: "1+1" } }] }, { text: "Two." }],
  "Take long": [{ text: "never", gate }],
});

let http: RouteServer;
let key: string;
beforeAll(async () => {
  http = await serveRoute(mcp, "/mcp");
  key = await server().addKey("member", ["read", "chat"]);
  await server().database.user.create({
    data: { id: "stranger", name: "A stranger", email: "stranger@example.test", role: "member" },
  });
  await createAgent(server().services, {
    agentId: "two-words",
    raw: { model: "scripted:m", retries: 0, name: "Two words", description: "Has a dash in its id." },
    createdById: null,
  });
});
afterAll(async () => {
  release();
  await http.close();
});

const clients: McpTestClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

describe.each(MCP_CLIENTS)("a client of %s", (revision, connect) => {
  const open = async (answer?: AnswerElicitation, as = key) => {
    const client = await connect({ url: http.url, key: as, answer });
    clients.push(client);
    return client;
  };
  const verdict = (decision: string, asked: string[] = []): AnswerElicitation => {
    return ({ message }) => {
      asked.push(message);
      return { action: "accept", content: { decision } };
    };
  };

  test("speaks its own revision and is offered a tool per agent, and those for traces", async () => {
    const client = await open();
    expect(client.protocol).toBe(revision);
    const tools = await client.tools();
    expect(tools.map(({ name }) => name)).toEqual([
      ...["asks", "coder", "plain", "plans", "two_words"],
      ...["find_runs", "read_run", "compare_runs", "score_run"],
    ]);
    expect(tools.find(({ name }) => name === "two_words")).toMatchObject({
      description: "Has a dash in its id.",
      inputSchema: { properties: { message: { type: "string" } }, required: ["message"] },
    });
  });

  test("gets the agent's answer with the ids of the run, and progress while it works", async () => {
    const client = await open();
    const progress: string[] = [];
    const { text, isError, meta } = await client.call(
      "asks",
      { message: "Count" },
      { onProgress: (message) => progress.push(message) },
    );
    expect([text, isError, meta.status]).toEqual(["Two.", false, "completed"]);
    expect(progress).toEqual(["Step 1", "Calling calculate", "Step 2"]);
    const run = await server().database.run.findUniqueOrThrow({ where: { id: String(meta.run_id) } });
    expect([run.ownerId, run.agentId, run.origin]).toEqual(["member", "asks", "api"]);
  });

  test("answers an ask with allow, and the call runs", async () => {
    const asked: string[] = [];
    const client = await open(verdict("allow", asked));
    expect((await client.call("asks", { message: "Write a.txt" })).text).toBe("Wrote it.");
    expect(asked).toEqual([expect.stringContaining("Allow this call of write_file")]);
    expect(lastMessages().at(-1)?.content).not.toContain("denied");
  });

  test.each(["deny", "decline", "cancel"])("answers an ask with %s, and the agent reads it", async (how) => {
    const answer: AnswerElicitation = () =>
      how === "deny"
        ? { action: "accept", content: { decision: "deny", reason: "Not on a Friday." } }
        : { action: how as "decline" | "cancel" };
    const client = await open(answer);
    expect((await client.call("asks", { message: "Write a.txt" })).text).toBe("Wrote it.");
    const said = { deny: "Not on a Friday.", decline: "The user declined.", cancel: "dismissed the question" }[how];
    expect(lastMessages().at(-1)?.content).toContain(said);
  });

  test("is asked about each of several calls", async () => {
    const asked: string[] = [];
    const client = await open(verdict("allow", asked));
    expect((await client.call("asks", { message: "Write two" })).text).toBe("Wrote both.");
    expect(asked.map((message) => /[bc]\.txt/.exec(message)?.[0]).toSorted()).toEqual(["b.txt", "c.txt"]);
  });

  test("answers a question of the agent", async () => {
    const client = await open(() => ({ action: "accept", content: { answer_1: "b" } }));
    expect((await client.call("asks", { message: "Ask me which" })).text).toBe("Thank you.");
    expect(lastMessages().at(-1)?.content).toContain('{"answers":["b"]}');
  });

  test("without elicitation gets its calls denied, and the agent reads why", async () => {
    const client = await open();
    expect((await client.call("asks", { message: "Write a.txt" })).text).toBe("Wrote it.");
    expect(lastMessages().at(-1)?.content).toContain("has no elicitation");
  });

  test("with an answer that has no decision gets its call denied", async () => {
    const client = await open(() => ({ action: "accept", content: { decision: "allow it all" } }));
    await client.call("asks", { message: "Write a.txt" }).catch(() => undefined);
    const { database } = server();
    const row = await database.approval.findFirstOrThrow({ orderBy: { createdAt: "desc" } });
    expect(row.status).not.toBe("approved");
  });

  test("that cancels its call cancels the run", async () => {
    const client = await open();
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

  test("with a read-only key is offered no tools and can call none", async () => {
    const client = await open(undefined, await server().addKey("member", ["read"]));
    expect(await client.tools()).toEqual([]);
    await expect(client.call("asks", { message: "Count" })).rejects.toThrow("no tool");
    await expect(client.call("find_runs", {})).rejects.toThrow("no tool");
  });

  test("with a key for one agent is offered that one, and the others do not exist", async () => {
    const limited = `rm_test_${crypto.randomUUID()}`;
    await server().database.apiKey.create({
      data: {
        id: `key_${crypto.randomUUID()}`,
        ...{ userId: "member", name: "Limited", prefix: "rm_test_" },
        ...{ sha256: hashKey(limited), scopes: '["read","chat"]', agents: '["coder"]' },
      },
    });
    const client = await open(undefined, limited);
    const names = (await client.tools()).map(({ name }) => name);
    expect(names.filter((name) => !name.endsWith("_runs") && !name.endsWith("_run"))).toEqual(["coder"]);
    await expect(client.call("asks", { message: "Count" })).rejects.toThrow("no tool");
  });

  test("with a key that is none gets nothing", async () => {
    await expect(open(undefined, "rm_wrong")).rejects.toThrow();
  });

  test("finds, reads, compares and scores runs with the rights of its key", async () => {
    const client = await open();
    const { meta } = await client.call("asks", { message: "Count" });
    const { meta: other } = await client.call("asks", { message: "Hello" });
    const found = JSON.parse((await client.call("find_runs", { agentId: "asks", limit: 2 })).text);
    expect(found.traces.map(({ runId }: { runId: string }) => runId)).toEqual([other.run_id, meta.run_id]);
    expect((await client.call("read_run", { run: meta.run_id })).text).toContain("calculate");
    const compared = JSON.parse((await client.call("compare_runs", { a: meta.run_id, b: other.run_id })).text);
    expect(compared.differentSteps[0].step).toBe(1);
    await client.call("score_run", { runId: meta.run_id, value: -1, why: "Too slow" });
    expect(await server().database.score.findFirst({ where: { runId: String(meta.run_id) } })).toMatchObject({
      ...{ value: -1, why: "Too slow", authorId: "member" },
    });
  });

  test("gets nothing of another person's runs, unless it has an administrator's key, which is audited", async () => {
    const { meta } = await (await open()).call("asks", { message: "Count" });
    const stranger = await open(undefined, await server().addKey("stranger", ["read", "chat"]));
    const foreign = await Promise.all([
      stranger.call("read_run", { run: meta.run_id }),
      stranger.call("compare_runs", { a: meta.run_id, b: meta.run_id }),
      stranger.call("score_run", { runId: meta.run_id, value: 1 }),
    ]);
    expect(foreign.map(({ text, isError }) => [text, isError])).toEqual(
      Array(3).fill(["There is no such trace.", true]),
    );
    expect(JSON.parse((await stranger.call("find_runs", {})).text).traces).toEqual([]);
    const admin = await open(undefined, await server().addKey("admin", ["read", "chat", "admin"]));
    expect((await admin.call("read_run", { run: meta.run_id })).text).toContain("calculate");
    const noted = { action: "trace.viewed", actorId: "admin", target: `trace:${meta.trace_id}` };
    expect(await server().database.auditEntry.count({ where: noted })).toBe(1);
  });

  test("reads why arguments are refused, and of no run that is not there", async () => {
    const client = await open();
    const wrong = await Promise.all([
      client.call("asks", {}),
      client.call("asks", { message: "" }),
      client.call("find_runs", { status: "gone" }),
      client.call("read_run", { run: "run_none" }),
      client.call("score_run", { runId: "run_none", value: 3 }),
    ]);
    expect(wrong.map(({ isError }) => isError)).toEqual([true, true, true, true, true]);
    expect(wrong[3]?.text).toBe("There is no such trace.");
  });
});

test("clients of both generations work at once", async () => {
  const opened = await Promise.all(
    MCP_CLIENTS.map(([, connect]) =>
      connect({ url: http.url, key, answer: () => ({ action: "accept", content: { decision: "allow" } }) }),
    ),
  );
  clients.push(...opened);
  const replies = await Promise.all(
    [...opened, ...opened].map((client) => client.call("asks", { message: "Write a.txt" })),
  );
  expect(replies.map(({ text }) => text)).toEqual(Array(4).fill("Wrote it."));
});
