import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { GET as exportOne } from "@/app/api/threads/[threadId]/export/route";
import { POST as restore } from "@/app/api/threads/[threadId]/restore/route";
import { GET as getOne, PATCH as patch, DELETE as remove } from "@/app/api/threads/[threadId]/route";
import { GET as exportSome } from "@/app/api/threads/export/route";
import { POST as create, GET as list } from "@/app/api/threads/route";
import type { ThreadListItem } from "@/lib/schema/threads/thread";
import { createAgent } from "@/lib/server/agents/publish-version";
import { onFeedEvent } from "@/lib/server/engine/log/signals";
import { readZip } from "@/lib/server/skills/read-zip";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { fileNameOf, toMarkdown } from "./export-thread";

describe("threads", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
    await createAgent(server.services, { agentId: "writer", raw: { name: "Writer" }, createdById: null });
  });
  afterEach(() => server.close());

  const add = async (title?: string) => {
    const reply = await server.call(create, { as: "member", body: { agentId: "writer" } });
    const { id } = await reply.json();
    if (title) await change(id, { title });
    return id as string;
  };
  const change = (threadId: string, body: unknown) =>
    server.call(patch, { as: "member", method: "PATCH", params: { threadId }, body });
  const listed = async (query = "") => {
    const reply = await server.call(list, { as: "member", path: `/${query}` });
    return (await reply.json()) as { threads: ThreadListItem[]; nextCursor: string | null };
  };
  const ids = async (query = "") => (await listed(query)).threads.map(({ id }) => id);

  async function say(threadId: string, text: string) {
    const parts = JSON.stringify([{ type: "text", text }]);
    await server.database.transcriptMessage.create({
      data: { id: crypto.randomUUID(), threadId, runId: "run_x", position: 1, role: "user", parts, text },
    });
  }

  test("a new thread is listed with its agent and has nothing in it", async () => {
    const threadId = await add();
    const detail = await (await server.call(getOne, { as: "member", params: { threadId } })).json();
    expect(detail).toMatchObject({ agentName: "Writer", status: null, messages: [], openRuns: [], todos: [] });
    expect(detail.usage).toMatchObject({ totalTokens: 0, costUsd: 0 });
    expect(await ids()).toEqual([threadId]);
  });

  test("pages of the list have every thread once, pinned ones first", async () => {
    const made = [];
    for (let index = 0; index < 5; index += 1) made.push(await add(`t${index}`));
    await change(made[1] ?? "", { pinned: true });
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page: Awaited<ReturnType<typeof listed>> = await listed(`?limit=2${cursor ? `&cursor=${cursor}` : ""}`);
      seen.push(...page.threads.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    expect(seen[0]).toBe(made[1]);
    expect(seen.toSorted()).toEqual(made.toSorted());
  });

  test("search finds titles and texts", async () => {
    const [titled, spoken] = [await add("About Whales"), await add()];
    await say(spoken, "tell me of whales");
    expect((await ids("?q=whales")).toSorted()).toEqual([titled, spoken].toSorted());
    expect(await ids("?q=dolphins")).toEqual([]);
  });

  test("a search shows where a thread's text has it", async () => {
    const [titled, spoken] = [await add("About Whales"), await add()];
    await say(spoken, `${"Here are many words. ".repeat(20)}\nPlease tell me of Whales\nand their 100% songs`);
    const { threads } = await listed("?q=whales");
    const found = new Map(threads.map(({ id, snippet }) => [id, snippet]));
    expect(found.get(titled)).toBeUndefined();
    expect(found.get(spoken)).toEqual({
      before: expect.stringMatching(/Please tell me of $/u),
      match: "Whales",
      after: expect.stringMatching(/^ and their/u),
      messageId: expect.any(String),
    });
    expect((await listed("?q=100%25")).threads[0]?.snippet?.match).toBe("100%");
  });

  test("archived threads are listed apart", async () => {
    const threadId = await add();
    await change(threadId, { archived: true });
    expect([await ids(), await ids("?archived=true")]).toEqual([[], [threadId]]);
  });

  test("the list can be narrowed to an agent, and to the state of the newest run", async () => {
    await createAgent(server.services, { agentId: "other", raw: { name: "Other" }, createdById: null });
    const version = await server.database.agentVersion.findFirstOrThrow({ where: { agentId: "writer" } });
    const reply = await server.call(create, { as: "member", body: { agentId: "other" } });
    const ofOther: string = (await reply.json()).id;
    const [failed, running] = [await add(), await add()];
    const run = (threadId: string, position: number, status: string) => {
      const id = crypto.randomUUID();
      const ids = { id, threadId, traceId: id, assistantMessageId: id, agentVersionId: version.id };
      const data = { ...ids, ownerId: "member", agentId: "writer", input: "{}", position, status };
      return server.database.run.create({ data: { ...data, endedAt: status === "running" ? null : new Date() } });
    };
    await run(failed, 1, "completed");
    await run(failed, 2, "failed");
    await run(running, 1, "failed");
    await run(running, 2, "running");
    expect(await ids("?agentId=other")).toEqual([ofOther]);
    expect(await ids("?state=failed")).toEqual([failed]);
    expect(await ids("?state=running")).toEqual([running]);
    expect(await ids("?state=failed&agentId=other")).toEqual([]);
    expect((await server.call(list, { as: "member", path: "/?state=odd" })).status).toBe(400);
  });

  test("several threads are exported as a zip, each with a name of its own", async () => {
    const made = [await add("Same: name"), await add("same name"), await add()];
    await say(made[0] ?? "", "hello");
    const get = (chosen: readonly string[], as: "member" | "admin" = "member") =>
      server.call(exportSome, { as, path: `/?format=md&ids=${chosen.join(",")}` });
    const reply = await get(made);
    expect(reply.headers.get("content-type")).toBe("application/zip");
    const files = await readZip(new Uint8Array(await reply.arrayBuffer()));
    expect(files.map(({ path }) => path)).toEqual(["Same name.md", "same name 2.md", "thread.md"]);
    expect(new TextDecoder().decode(files[0]?.bytes)).toContain("hello");
    expect((await get(made, "admin")).status).toBe(404);
    expect((await get([])).status).toBe(400);
  });

  test("a deleted thread is gone until it is restored, whole", async () => {
    const threadId = await add("Keep");
    await say(threadId, "hello");
    const params = { threadId };
    await server.call(remove, { as: "member", method: "DELETE", params });
    expect((await server.call(getOne, { as: "member", params })).status).toBe(404);
    await server.call(restore, { as: "member", method: "POST", params });
    const detail = await (await server.call(getOne, { as: "member", params })).json();
    expect([detail.title, detail.messages.length]).toEqual(["Keep", 1]);
  });

  test("a deleted thread that never had content leaves nothing", async () => {
    const threadId = await add();
    expect((await server.call(remove, { as: "member", method: "DELETE", params: { threadId } })).status).toBe(204);
    expect(await server.database.thread.count()).toBe(0);
  });

  test("the owner's other tabs are notified of every change of a thread", async () => {
    const told: string[] = [];
    const member = await server.database.user.findFirstOrThrow({ where: { role: "member" } });
    const stop = onFeedEvent(member.id, (event) => {
      if (event && "threadId" in event) told.push(`${event.type} ${event.threadId}`);
    });
    const threadId = await add("First name");
    await server.call(remove, { as: "member", method: "DELETE", params: { threadId } });
    await server.call(restore, { as: "member", method: "POST", params: { threadId } });
    stop();
    expect(told).toEqual(Array(4).fill(`thread.changed ${threadId}`));
  });

  test("another person's thread is 404 for everything, even for admins", async () => {
    const params = { threadId: await add() };
    const replies = await Promise.all([
      server.call(getOne, { as: "admin", params }),
      server.call(patch, { as: "admin", method: "PATCH", params, body: { title: "x" } }),
      server.call(remove, { as: "admin", method: "DELETE", params }),
      server.call(restore, { as: "admin", method: "POST", params }),
      server.call(exportOne, { as: "admin", params }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  });

  test("a thread with an unknown agent is refused", async () => {
    expect((await server.call(create, { as: "member", body: { agentId: "nobody" } })).status).toBe(404);
  });

  test("an invalid cursor is 400", async () => {
    expect((await server.call(list, { as: "member", path: "/?cursor=nonsense" })).status).toBe(400);
  });

  test.each([
    ["Fix: the / test", "Fix the test"],
    ["..", "thread"],
    [null, "thread"],
    ["Café 日本", "Café 日本"],
    ["x".repeat(200), "x".repeat(80)],
  ])("the file of the thread %j is named %j", (title, name) => {
    expect(fileNameOf(title)).toBe(name);
  });

  test("the Markdown of a thread fences what tools said", () => {
    const parts = [
      { type: "text", text: "Done." },
      { type: "dynamic-tool", toolName: "read_file", input: { path: "a" }, output: { text: "```\n# not a heading" } },
    ];
    const text = toMarkdown({
      title: "T",
      agentName: "Writer",
      model: "openai:gpt-5",
      createdAt: "2026-01-01T00:00:00.000Z",
      messages: [{ id: "m", role: "assistant", parts }],
    });
    expect(text).toContain("Agent: Writer  \nModel: openai:gpt-5  \n");
    expect(text).toContain("````\n```\n# not a heading\n````");
  });
});
