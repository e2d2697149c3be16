import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { GET as verify } from "@/app/api/audit/verify/route";
import type { AuditCheck } from "@/lib/schema/audit";
import { forgetProcessState, processState } from "@/lib/server/platform/process-state";
import { secretBox } from "@/lib/server/platform/secrets/secrets";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { deleteOldEntries, linkEntries } from "./audit-chain";
import { writeAudit } from "./audit-log";
import { keptEndFile } from "./kept-end";

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

const DAY_MS = 86_400_000;
const entries = () => server.database.auditEntry.findMany({ where: { number: { gt: 0 } }, orderBy: { number: "asc" } });

async function check(): Promise<AuditCheck> {
  return (await server.call(verify, { as: "admin" })).json();
}

async function writeChain(count: number): Promise<void> {
  for (let index = 1; index <= count; index += 1)
    await writeAudit(server.services, {
      actorId: "admin",
      action: "thing.changed",
      target: `thing:${index}`,
      after: { index },
    });
  await linkEntries(server.database);
}

test("entries get numbers and hashes in the order of their time, and a second look changes none", async () => {
  await writeChain(3);
  const first = await entries();
  expect(first.map(({ target }) => target)).toEqual(["thing:1", "thing:2", "thing:3"]);
  expect(first.map(({ number }) => number)).toEqual([1, 2, 3]);
  expect(first.map(({ previousHash }) => previousHash)).toEqual(["", first[0]?.hash, first[1]?.hash]);
  await linkEntries(server.database);
  expect(await entries()).toEqual(first);
  expect(await check()).toMatchObject({ ok: true, checked: 3, waiting: 0, notChained: 0 });
});

test.each([
  ["what it says", { after: '{"index":9}' }, "Entry 2 does not match its hash."],
  ["who it was", { actorId: "member" }, "Entry 2 does not match its hash."],
  ["its hash", { hash: "0".repeat(64) }, "Entry 2 does not match its hash."],
])("an entry that was changed in %s is found", async (_, data, problem) => {
  await writeChain(4);
  const [, second] = await entries();
  await server.database.auditEntry.update({ where: { id: second?.id ?? "" }, data });
  expect(await check()).toMatchObject({ ok: false, checked: 1, firstBroken: second?.id, problem });
});

test("an entry that was removed is found, in the middle and at the end", async () => {
  await writeChain(4);
  const [, second, third, fourth] = await entries();
  await server.database.auditEntry.delete({ where: { id: fourth?.id ?? "" } });
  expect(await check()).toMatchObject({
    ok: false,
    firstBroken: third?.id,
    problem: "An entry after entry 3 is missing.",
  });
  await server.database.auditEntry.delete({ where: { id: second?.id ?? "" } });
  expect(await check()).toMatchObject({
    ok: false,
    firstBroken: third?.id,
    problem: "An entry before entry 3 is missing.",
  });
});

test("after retention has deleted old entries the chain holds, and what is left cannot lose more", async () => {
  await writeChain(4);
  const [first, second, third] = await entries();
  const old = { createdAt: new Date(Date.now() - 10 * DAY_MS) };
  // As if written back then, with that version's hashes.
  await server.database.auditEntry.updateMany({ data: { number: null, hash: null, previousHash: null } });
  await server.database.setting.deleteMany();
  rmSync(keptEndFile());
  for (const entry of [first, second])
    await server.database.auditEntry.update({ where: { id: entry?.id ?? "" }, data: old });
  await linkEntries(server.database);
  const pace = { rest: async () => true };
  expect(await deleteOldEntries(server.database, new Date(Date.now() - DAY_MS), pace)).toBe(2);
  expect(await check()).toMatchObject({ ok: true, checked: 2 });
  await server.database.auditEntry.delete({ where: { id: third?.id ?? "" } });
  expect(await check()).toMatchObject({ ok: false, problem: "An entry before entry 4 is missing." });
});

test("retention leaves what is not in the chain yet", async () => {
  await writeAudit(server.services, { actorId: "admin", action: "thing.changed", target: "thing:1" });
  const pace = { rest: async () => true };
  expect(await deleteOldEntries(server.database, new Date(Date.now() + DAY_MS), pace)).toBe(0);
});

test("entries from before there was a chain are counted and not compared", async () => {
  await writeAudit(server.services, { actorId: "admin", action: "thing.changed", target: "thing:1" });
  await server.database.auditEntry.updateMany({ data: { number: 0 } });
  await writeChain(2);
  expect(await check()).toMatchObject({ ok: true, checked: 2, notChained: 1 });
});

test("a secret that is no longer listed is named, and is not taken for a change", async () => {
  await writeChain(1);
  await server.database.auditEntry.updateMany({ data: { hashKeyId: "gone" } });
  expect((await check()).problem).toContain("List that secret after the newest one.");
});

test("the same holds where another copy of the module reads the secrets, as in a built server", async () => {
  await writeChain(1);
  const own = secretBox();
  const message = "Signed with a secret (k1) that is not in RINGMASTER_SECRET.";
  vi.resetModules();
  const copy = await import("@/lib/server/platform/secrets/secrets");
  const isSigned = () => {
    throw new copy.SecretUnreadable(message);
  };
  forgetProcessState("secret-box");
  processState("secret-box", () => ({ ...own, isSigned }));
  expect(await check()).toMatchObject({ ok: false, problem: expect.stringContaining(message) });
});

const HEAD = { where: { key: "audit-chain-head" } };
const lastTwo = async () => (await entries()).slice(-2).map(({ id }) => id);

test.each([
  ["removed with its record", () => server.database.setting.delete(HEAD), "is missing"],
  [
    "removed, and its record broken",
    () => server.database.setting.update({ ...HEAD, data: { value: "{" } }),
    "was changed",
  ],
  [
    "removed, and its record moved",
    async () => {
      const { value } = await server.database.setting.findUniqueOrThrow(HEAD);
      await server.database.setting.update({
        ...HEAD,
        data: { value: JSON.stringify({ ...JSON.parse(value), number: 2 }) },
      });
    },
    "was changed",
  ],
])("an end that was %s is found", async (_, tamper, problem) => {
  await writeChain(4);
  await server.database.auditEntry.deleteMany({ where: { id: { in: await lastTwo() } } });
  await tamper();
  expect(await check()).toMatchObject({ ok: false, problem: expect.stringContaining(problem) });
});

test("entries that lost their places at the end are found", async () => {
  await writeChain(4);
  const where = { id: { in: await lastTwo() } };
  await server.database.auditEntry.updateMany({ where, data: { number: null, hash: null, previousHash: null } });
  expect(await check()).toMatchObject({ ok: false, waiting: 2, problem: "2 entries after entry 2 are missing." });
});

test("an earlier record of the end does not pass for the present one", async () => {
  await writeChain(2);
  const { value } = await server.database.setting.findUniqueOrThrow(HEAD);
  await writeChain(2);
  await server.database.setting.update({ ...HEAD, data: { value } });
  expect(await check()).toMatchObject({
    ok: false,
    problem: expect.stringContaining("does not belong to its last entry"),
  });
});

const forget = { number: null, hash: null, previousHash: null, hashKeyId: null };

test.each([
  ["deleted whole with its records", () => server.database.auditEntry.deleteMany()],
  [
    "emptied of its places, to be made anew",
    () => server.database.auditEntry.updateMany({ data: { ...forget, actorId: "nobody" } }),
  ],
])("a chain that was %s is found, also once it has grown again", async (_, empty) => {
  await writeChain(3);
  await empty();
  await server.database.setting.deleteMany();
  const lost = { ok: false, problem: expect.stringContaining("Entry 3, with which the chain once ended") };
  expect(await check()).toMatchObject(lost);
  await writeAudit(server.services, { actorId: "admin", action: "thing.changed", target: "thing:0" });
  await writeChain(5);
  expect(await check()).toMatchObject(lost);
});

test("a record beside the database that was changed is found; one that is gone begins again", async () => {
  await writeChain(2);
  writeFileSync(keptEndFile(), readFileSync(keptEndFile(), "utf8").replace('"number":2', '"number":1'));
  expect(await check()).toMatchObject({ ok: false, problem: expect.stringContaining("Entry 1, with which") });
  rmSync(keptEndFile());
  await writeChain(1);
  expect(await check()).toMatchObject({ ok: true, checked: 3 });
});

test("retention may delete the entry that stands beside the database", async () => {
  await writeChain(2);
  const pace = { rest: async () => true };
  expect(await deleteOldEntries(server.database, new Date(Date.now() + DAY_MS), pace)).toBe(2);
  expect(await check()).toMatchObject({ ok: true, checked: 0 });
});

test("before the first entry is linked there is no end to compare", async () => {
  await writeAudit(server.services, { actorId: "admin", action: "thing.changed", target: "thing:1" });
  expect(await check()).toMatchObject({ ok: true, checked: 0, waiting: 1 });
});
