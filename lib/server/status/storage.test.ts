import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { GET as storageRoute } from "@/app/api/storage/route";
import { Storage } from "@/lib/schema/settings/storage";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { getStorage } from "./storage";

const DAY_MS = 86_400_000;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test("says what takes how much space, what a day adds, and what goes next", async () => {
  const folder = path.join(server.dataDirectory, "workspaces", "a");
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "data.bin"), Buffer.alloc(700_000));
  const common = {
    ownerId: "admin",
    threadId: "t",
    agentId: "a",
    agentVersionId: "v",
    agentVersion: 1,
    status: "completed",
  };
  const at = (days: number) => new Date(Date.now() - days * DAY_MS);
  await server.database.trace.createMany({
    data: [100, 60, 1].map((days) => ({ ...common, id: `t${days}`, runId: `r${days}`, startedAt: at(days) })),
  });
  const reply = await server.call(storageRoute, { as: "admin" });
  const storage = Storage.parse(await reply.json());
  const kind = (name: string) => storage.kinds.find((row) => row.kind === name);
  expect(kind("files")?.bytes).toBeGreaterThanOrEqual(700_000);
  expect(kind("files")?.perDayBytes).toBeGreaterThanOrEqual(100_000);
  expect(kind("traces")?.due).toBe(1);
  expect(kind("audit")).toMatchObject({ due: 0, nextAt: null });
  expect(kind("traces")?.bytes).toBeGreaterThan(0);
  expect(storage.totalBytes).toBe(storage.kinds.reduce((sum, { bytes }) => sum + bytes, 0));
  expect(storage.freeBytes).toBeGreaterThan(0);
});

test("is measured again only after ten minutes, while what goes next is counted each time", async () => {
  const { measuredAt } = await getStorage(server.services);
  await server.database.trace.deleteMany();
  const again = await getStorage(server.services, Date.parse(measuredAt) + 9 * 60_000);
  expect([again.measuredAt, again.kinds[0]?.due]).toEqual([measuredAt, 0]);
  const later = await getStorage(server.services, Date.parse(measuredAt) + 11 * 60_000);
  expect(later.measuredAt).not.toBe(measuredAt);
});
