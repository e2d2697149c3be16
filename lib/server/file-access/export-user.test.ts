import { afterEach, beforeEach, expect, test } from "vitest";
import { POST as sendRoute } from "@/app/api/threads/[threadId]/messages/route";
import { POST as openRoute } from "@/app/api/threads/route";
import { POST as exportRoute } from "@/app/api/users/[userId]/export/route";
import { createStateFileStore } from "@/lib/server/files/state-file-store";
import { requireWorkspace } from "@/lib/server/files/workspace-row";
import { readZip } from "@/lib/server/skills/read-zip";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";

let server: RunServer;
beforeEach(async () => {
  server = await startRunServer([{ text: "Good to know." }]);
});
afterEach(() => server.close());

async function addFile(agentId: string, path: string, text: string): Promise<void> {
  const owner = { agentId, ownerId: "member", threadId: null };
  const { id } = await requireWorkspace(server.database, "user", owner);
  await createStateFileStore(server.database, id).write(path, new TextEncoder().encode(text));
}

test("an export holds the account, the threads and the files, and names what it leaves out", async () => {
  const { id: threadId } = await (await server.call(openRoute, { as: "member", body: { agentId: "coder" } })).json();
  const sent = { as: "member", params: { threadId }, body: { content: "My cat is called Ada." } } as const;
  await server.call(sendRoute, sent);
  await addFile("coder", "notes/USER.md", "Likes tea.");
  await addFile("plain", "lost.md", "The agent has no workspace any more.");

  const reply = await server.call(exportRoute, { as: "admin", method: "POST", params: { userId: "member" } });
  expect(reply.status).toBe(200);
  expect(reply.headers.get("content-disposition")).toContain("user-member.zip");
  const entries = await readZip(new Uint8Array(await reply.arrayBuffer()));
  const files = new Map(entries.map(({ path, bytes }) => [path, new TextDecoder().decode(bytes)]));
  expect([...files.keys()].toSorted()).toEqual([
    "account.json",
    "files/coder/notes/USER.md",
    "left-out.txt",
    `threads/${threadId}.json`,
  ]);
  expect(JSON.parse(files.get("account.json") ?? "")).toMatchObject({ email: "member@example.test", groups: [] });
  expect(files.get(`threads/${threadId}.json`)).toContain("My cat is called Ada.");
  expect(files.get("files/coder/notes/USER.md")).toBe("Likes tea.");
  expect(files.get("left-out.txt")).toBe("The files with the agent plain: The agent has no workspace any more.\n");
  expect(await server.database.auditEntry.count({ where: { action: "user.exported", target: "user:member" } })).toBe(1);
});

test("nobody but an administrator exports a person's data", async () => {
  const call = { method: "POST", params: { userId: "member" } } as const;
  expect((await server.call(exportRoute, { ...call, as: "member" })).status).toBe(403);
  expect((await server.call(exportRoute, { as: "admin", method: "POST", params: { userId: "none" } })).status).toBe(
    404,
  );
});
