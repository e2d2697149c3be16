import { beforeAll, describe, expect, test } from "vitest";
import { IDS, LIMITED, ROUTES, reachInstallation } from "@/lib/testing/fixtures/reach-fixture";

const { server } = reachInstallation();

describe("within reach, what names the other agent", () => {
  const own = { id: "k1", agentId: "k1", threadId: "th_own" };
  beforeAll(async () => {
    const thread = { id: "th_own", clientId: "th_own", ownerId: "admin", agentId: "k1", title: "Own" };
    await server().database.thread.create({ data: thread });
  });
  const ask = async (name: string, body: unknown, query = "") => {
    const entry = ROUTES.find((route) => route.name === name);
    if (entry === undefined) throw new Error(`There is no ${name}.`);
    const path = `${entry.url.replaceAll(/[[\]]/g, "")}${query}`;
    return server().call(entry.route, { key: LIMITED, method: entry.method, params: { ...IDS, ...own }, body, path });
  };

  test.each<[string, unknown]>([
    ["POST /api/threads/[threadId]/messages", { content: "Hello", agentId: "zwei" }],
    ["POST /api/threads/[threadId]/fork", { messageId: "msg_zwei" }],
    ["POST /api/threads/[threadId]/messages/[messageId]/edit", { content: "Hello" }],
    ["POST /api/threads/[threadId]/messages/[messageId]/regenerate", {}],
    ["GET /api/threads/export", undefined],
  ])("is absent in %s", async (name, body) => {
    expect((await ask(name, body, body ? "" : "?ids=th_own,th_zwei")).status).toBe(404);
  });

  test.each<[string, object]>([
    ["chosen by their ids", { selection: { runIds: ["run_zwei", "run_child_zwei"] } }],
    ["of the other agent", { selection: { filters: { agentId: "zwei" } } }],
    ["of which it is the base", { selection: { filters: {} }, base: { filters: { agentId: "zwei" } } }],
  ])("is in no difference between runs %s", async (_, body) => {
    const found = await (await ask("POST /api/traces/difference", body)).json();
    expect("base" in body ? found.rest : found.selected).toBe(0);
    expect(JSON.stringify(found)).not.toContain("zwei");
  });

  test.each([
    ...["agentId=zwei", "q=zwei", "projectId=prj"].map((query) => ["GET /api/threads", query] as const),
    ...["q=tr_zwei", "q=run_zwei", "q=th_zwei", "agentId=zwei"].map((query) => ["GET /api/traces", query] as const),
  ])("is not found by %s?%s", async (name, query) => {
    expect(await (await ask(name, undefined, `?${query}`)).json()).toMatchObject(
      name.endsWith("threads") ? { threads: [] } : { traces: [] },
    );
  });
});
