import { afterAll, beforeAll, expect, test } from "vitest";
import { GET as listUsers } from "@/app/api/users/route";
import { hashKey } from "@/lib/server/users/find-key-owner";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { limitOldKeys } from "./limit-old-keys";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test("a limited key of an earlier version loses the scope admin, and its owner is told once", async () => {
  const { database } = server;
  const owned = { userId: "admin", prefix: "rm_old", scopes: '["admin"]' };
  await database.apiKey.create({
    data: { id: "key_old", name: "Old", sha256: hashKey("rm_old"), agents: '["k1"]', ...owned },
  });
  await database.apiKey.create({ data: { id: "key_whole", name: "Whole", sha256: hashKey("rm_whole"), ...owned } });
  const status = async (key: string) => (await server.call(listUsers, { key })).status;
  expect([await status("rm_old"), await status("rm_whole")]).toEqual([403, 200]);
  await limitOldKeys(database);
  await limitOldKeys(database);
  const keys = await database.apiKey.findMany({ where: { prefix: "rm_old" }, orderBy: { id: "asc" } });
  expect(keys.map(({ scopes }) => scopes)).toEqual(['["read","chat"]', '["admin"]']);
  const audited = await database.auditEntry.findMany({ where: { action: "api_key.limited" } });
  expect(audited.map(({ target }) => target)).toEqual(["api_key:key_old"]);
  expect(await database.inboxNote.findMany()).toMatchObject([
    { userId: "admin", kind: "key", title: "Your key “Old” no longer administers", doneAt: null },
  ]);
});
