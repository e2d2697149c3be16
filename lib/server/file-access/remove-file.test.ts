import { afterEach, beforeEach, expect, test } from "vitest";
import { POST as newThread } from "@/app/api/threads/route";
import { createAgent } from "@/lib/server/agents/publish-version";
import { workspaceShares } from "@/lib/server/files/workspace-shares";
import { processServices } from "@/lib/server/wiring/services";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { openThreadFiles, readBytes, removeFile, writeBytes } from "./user-files";

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
  await createAgent(server.services, {
    agentId: "writer",
    raw: { name: "Writer", backend: { type: "state" } },
    createdById: null,
  });
});
afterEach(() => server.close());

test("a file is not removed while it is being changed", async () => {
  const { id } = await (await server.call(newThread, { as: "member", body: { agentId: "writer" } })).json();
  const files = await openThreadFiles(server.services, id, { id: "member" });
  await writeBytes(server.services, files, "a.txt", new TextEncoder().encode("1"));
  const order: string[] = [];
  const removed = workspaceShares(processServices(), files.workspaceId).fileLock("a.txt", async () => {
    const removing = removeFile(server.services, files, "a.txt").then(() => order.push("removed"));
    // By then, anything removable in the meantime would be gone.
    for (let round = 0; round < 5; round += 1) await readBytes(files, "a.txt");
    order.push("changed");
    return { removing };
  });
  await (await removed).removing;
  expect(order).toEqual(["changed", "removed"]);
});

test("of a file that is too large to be read no part is kept as if it were the whole", async () => {
  const { id } = await (await server.call(newThread, { as: "member", body: { agentId: "writer" } })).json();
  const files = await openThreadFiles(server.services, id, { id: "member" });
  await files.workspace.write("huge.bin", new Uint8Array(3));
  const read = async () => ({ bytes: new Uint8Array(3), sizeBytes: 2 ** 26 });
  await removeFile(server.services, { ...files, workspace: { ...files.workspace, read } }, "huge.bin");
  const versions = await processServices().database.fileVersion.findMany({ select: { version: true, blobHash: true } });
  expect(versions).toEqual([{ version: 1, blobHash: null }]);
});
