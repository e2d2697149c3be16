import { afterEach, expect, test } from "vitest";
import { PUT as upload } from "@/app/agents/[id]/files/upload/route";
import { POST as invoke } from "@/app/agents/[id]/invoke/route";
import { GET as versions } from "@/app/api/threads/[threadId]/files/versions/route";
import type { AgentConfigInput } from "@/lib/schema/agents/agent-config";
import type { FileVersion } from "@/lib/schema/files/workspace-file";
import { createAgent } from "@/lib/server/agents/publish-version";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import { storeBlob } from "./blobs";

let server: RunServer;
afterEach(() => server.close());

const WRITE = { calls: [{ name: "memory_write", args: { text: "by the agent" } }] };

async function start(config: Partial<AgentConfigInput>): Promise<void> {
  server = await startRunServer([WRITE, { text: "Done." }]);
  const raw = {
    name: "A",
    model: "scripted:m",
    backend: { type: "state" },
    memory: { paths: ["AGENTS.md"] },
    ...config,
  };
  await createAgent(server.services, { agentId: "a", raw: { ...raw, tools: ["memory_write"] }, createdById: null });
}
async function say(as: "member" | "admin" = "member"): Promise<void> {
  const body = { messages: [{ role: "user", content: "hi" }], thread_id: "t" };
  expect((await server.call(invoke, { as, params: { id: "a" }, body })).status).toBe(200);
}
/** The versions of a file as listed in that person's thread, oldest first. */
async function listed(path: string, ownerId: "member" | "admin" = "member"): Promise<FileVersion[]> {
  const { id: threadId } = await server.database.thread.findFirstOrThrow({ where: { ownerId } });
  const reply = await server.call(versions, { as: ownerId, params: { threadId }, path: `/?path=${path}` });
  return (await reply.json()).versions.toReversed();
}

test("each version names its author: the agent with run and span, a person, or nobody here", async () => {
  await start({});
  await say();
  const file = { path: "MEMORY.md", content: "by the person" };
  await server.call(upload, { method: "PUT", as: "member", params: { id: "a" }, body: file });
  const blobHash = await storeBlob(server.database, new TextEncoder().encode("from outside"));
  await server.database.workspaceFile.updateMany({ where: { path: "MEMORY.md" }, data: { blobHash } });
  await say();
  const [agent, person, outside] = await listed("MEMORY.md");
  expect(agent).toMatchObject({ author: "agent", authorName: "The member", isOwn: true });
  expect([agent?.runId, agent?.spanId]).toEqual([expect.stringMatching(/^run_/), expect.stringMatching(/^sp_/)]);
  expect(person).toMatchObject({ author: "user", authorName: "The member", isOwn: true, runId: null, spanId: null });
  expect(outside).toMatchObject({ author: "outside", authorName: null, isOwn: false, runId: null, spanId: null });
});

test("where an agent's files are shared, what it wrote for someone else is not one's own", async () => {
  await start({ backend: { type: "state", scope: "agent" } });
  await say("admin");
  await say("member");
  expect(await listed("MEMORY.md")).toMatchObject([{ author: "agent", authorName: "The admin", isOwn: false }]);
});

test("a file that was put there for a new user says so", async () => {
  await start({ type: "open" });
  await say();
  expect(await listed("SOUL.md")).toMatchObject([{ author: "seeded", isOwn: true }]);
});
