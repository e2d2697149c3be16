import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { POST as createAgent } from "@/app/api/agents/route";
import { POST as createThread, GET as listThreads } from "@/app/api/threads/route";
import type { ThreadList } from "@/lib/schema/threads/thread";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";

const AT = Date.UTC(2026, 10, 20, 8);

describe("threads that a person did not start", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
    await server.call(createAgent, { as: "admin", body: { id: "writer", yaml: "name: Writer" } });
    await server.call(createAgent, { as: "admin", body: { draft: true, name: "Try me" } });
  });
  afterEach(() => server.close());

  const addTrigger = (id: string, kind: string, name: string) =>
    server.database.trigger.create({ data: { id, kind, name, ownerId: "admin", agentId: "writer", config: "{}" } });
  const addThread = (clientId: string, minute: number, more: object = {}) =>
    server.database.thread.create({
      data: {
        id: `th_${minute}`,
        clientId,
        ownerId: "admin",
        agentId: "writer",
        title: `thread ${minute}`,
        updatedAt: new Date(AT + minute * 60_000),
        ...more,
      },
    });
  const addFiring = (id: string, triggerId: string) =>
    server.database.firing.create({ data: { id, triggerId, key: id, dueAt: new Date(AT), state: "started" } });
  const list = async (query = ""): Promise<{ groups: ThreadList["groups"]; ids: string[] }> => {
    const reply = await server.call(listThreads, { as: "admin", path: `/${query}` });
    const { threads, groups } = (await reply.json()) as ThreadList;
    return { groups, ids: threads.map(({ id }) => id) };
  };

  const addAll = async () => {
    await addTrigger("brief", "cron", "Morning brief");
    await addTrigger("watch", "heartbeat", "Watch");
    for (const id of ["f1", "f2"]) await addFiring(id, "brief");
    await addThread("own", 1);
    await addThread("schedule:f1", 2);
    await addThread("schedule:f2", 3);
    await addThread("schedule:brief", 4);
    await addThread("heartbeat:watch", 5);
    await addThread("webhook:swept", 6);
    await addThread("card:c1", 7, { boardId: "b1" });
  };

  test("are counted by what started them and left out of one's own list", async () => {
    await addAll();
    const { id } = await (
      await server.call(createThread, { as: "admin", body: { agentId: "try-me", draft: true } })
    ).json();
    const { ids, groups } = await list();
    expect(ids).toEqual(["th_1"]);
    expect(groups?.map(({ origin, triggerId, title, threads }) => [origin, triggerId, title, threads])).toEqual([
      ["draft", "try-me", "Try me", 1],
      ["board", "b1", "thread 7", 1],
      ["webhook", null, "thread 6", 1],
      ["heartbeat", "watch", "Watch", 1],
      ["schedule", "brief", "Morning brief", 3],
    ]);
    expect((await list("?origin=draft&triggerId=try-me")).ids).toEqual([id]);
  });

  test("are listed with their origin, also those of one schedule, and found by a search", async () => {
    await addAll();
    await addTrigger("other", "cron", "Other");
    await addThread("schedule:other", 8);
    expect((await list("?origin=schedule")).ids).toEqual(["th_8", "th_4", "th_3", "th_2"]);
    expect((await list("?origin=schedule&triggerId=brief")).ids).toEqual(["th_4", "th_3", "th_2"]);
    expect((await list("?origin=heartbeat&triggerId=watch")).ids).toEqual(["th_5"]);
    expect((await list("?origin=webhook")).ids).toEqual(["th_6"]);
    expect((await list("?origin=board&triggerId=b1")).ids).toEqual(["th_7"]);
    expect((await list("?q=thread")).ids).toEqual(["th_8", "th_6", "th_5", "th_4", "th_3", "th_2", "th_1"]);
    expect((await list("?q=thread")).groups).toBeUndefined();
  });

  test("are nobody else's, and gone once deleted or archived", async () => {
    await addThread("schedule:gone", 1, { deletedAt: new Date(AT) });
    await addThread("schedule:old", 2, { archivedAt: new Date(AT) });
    await addThread("schedule:theirs", 3, { ownerId: "member" });
    expect(await list()).toEqual({ groups: [], ids: [] });
    expect((await list("?archived=true")).ids).toEqual(["th_2"]);
  });
});
