import { expect, test } from "vitest";
import { linkEntries } from "@/lib/server/audit/audit-chain";
import { selectGrants } from "@/lib/server/platform/db/queries/asks";
import { daysAgo, housekeepingInstallation } from "@/lib/testing/databases/housekeeping-fixture";
import { addThread, seedThread } from "@/lib/testing/fixtures/run-fixture";
import { addSchedule } from "@/lib/testing/fixtures/trigger-fixture";

const { database, after } = housekeepingInstallation();

test("audit entries go after a year", async () => {
  const entry = { actorId: "u", action: "a", target: "t", details: "{}" };
  await database().auditEntry.create({ data: { ...entry, id: "old", createdAt: daysAgo(366) } });
  await database().auditEntry.create({ data: { ...entry, id: "new", createdAt: daysAgo(364) } });
  await linkEntries(database());
  await after(0, { audit: null });
  expect(await database().auditEntry.count()).toBe(2);
  await after(0);
  expect((await database().auditEntry.findMany()).map(({ id }) => id)).toEqual(["new"]);
});

test("what was behind a share's link is deleted once the link has expired", async () => {
  await seedThread(database());
  const add = async (threadId: string, expiresAt: Date | null) => {
    await addThread(database(), threadId);
    const content = { content: "{}", messages: 0, include: "[]" };
    await database().share.create({ data: { id: threadId, threadId, tokenHash: threadId, ...content, expiresAt } });
  };
  await add("th_expired", daysAgo(1));
  await add("th_later", daysAgo(-2));
  await add("th_never", null);
  await after(0);
  const left = await database().share.findMany({ orderBy: { id: "asc" }, select: { id: true } });
  expect(left.map(({ id }) => id)).toEqual(["th_later", "th_never"]);
});

test("a note of the inbox goes 90 days after its person was done with it, and stays until then", async () => {
  await seedThread(database());
  const note = {
    userId: "u1",
    kind: "board",
    title: "Board finished",
    detail: "",
    source: "board Docs",
    path: "/automations/boards/b1",
  };
  await database().inboxNote.createMany({
    data: [
      { ...note, id: "done", createdAt: daysAgo(200), doneAt: new Date() },
      { ...note, id: "open", createdAt: daysAgo(200) },
    ],
  });
  const kept = async () =>
    (await database().inboxNote.findMany({ select: { id: true }, orderBy: { id: "asc" } })).map(({ id }) => id);
  await after(89);
  expect(await kept()).toEqual(["done", "open"]);
  await after(91);
  expect(await kept()).toEqual(["open"]);
});

test("what was sent to chats, and codes that were shown, go after 90 days; a question with its buttons stays", async () => {
  const channel = { id: "ch_1", kind: "telegram", name: "Lab", agentId: "agent", credentials: "", receives: "" };
  await database().channel.create({ data: { ...channel, createdById: "u1" } });
  const place = { channelId: "ch_1", externalChat: "7", userId: "u1", threadId: "th1", runId: "run_1" };
  const sent = { ...place, deliveryId: "dlv_1", createdAt: new Date() };
  await database().channelMessage.createMany({
    data: [
      { ...sent, id: "told", messageId: "1", part: 0 },
      { ...sent, id: "asked", messageId: "2", part: 1, isOpen: true },
    ],
  });
  const kept = async () =>
    (await database().channelMessage.findMany({ select: { id: true }, orderBy: { id: "asc" } })).map(({ id }) => id);
  await after(89);
  expect(await kept()).toEqual(["asked", "told"]);
  await after(91);
  expect(await kept()).toEqual(["asked"]);
});

test("a firing that is claimed stays however old it is: its run may still start", async () => {
  await addSchedule(database(), {}, { nextDueAt: new Date() });
  const firing = { triggerId: "trg1", dueAt: daysAgo(200), createdAt: daysAgo(200) };
  for (const state of ["claimed", "started", "skipped"]) {
    await database().firing.create({ data: { id: `fir_${state}`, key: state, state, ...firing } });
  }
  await after(0);
  expect((await database().firing.findMany()).map(({ state }) => state)).toEqual(["claimed"]);
});

test("what has expired goes within the hour: sessions, verifications and shares", async () => {
  await seedThread(database());
  const db = database();
  for (const [name, expiresAt] of [
    ["over", daysAgo(0.01)],
    ["open", daysAgo(-10)],
  ] as const) {
    await db.session.create({ data: { id: name, token: name, userId: "u1", expiresAt } });
    await db.verification.create({ data: { id: name, identifier: name, value: "v", expiresAt } });
  }
  await after(0);
  expect((await db.session.findMany()).map(({ id }) => id)).toEqual(["open"]);
  expect((await db.verification.findMany()).map(({ id }) => id)).toEqual(["open"]);
});

test("a permission that has expired or was revoked is kept for 90 days, and the usage of purged runs for 400", async () => {
  await seedThread(database());
  const db = database();
  const addGrant = (id: string, expiresAt: Date, revokedAt: Date | null = null) => {
    const facts = { threadId: "th1", ownerId: "u1", tool: "execute", args: "{}", argsHash: id, createdBy: "u1" };
    return db.grant.create({ data: { id, ...facts, expiresAt, revokedAt } });
  };
  await addGrant("expired", daysAgo(91));
  await addGrant("expired lately", daysAgo(89));
  await addGrant("revoked", daysAgo(-10), daysAgo(91));
  await addGrant("revoked lately", daysAgo(-10), daysAgo(89));
  await addGrant("open", daysAgo(-10));
  const usage = { inputTokens: 1, cachedReadTokens: 0, cachedWriteTokens: 0, outputTokens: 1, reasoningTokens: 0 };
  for (const days of [399, 401]) {
    const facts = { ownerId: "u1", agentId: "agent", versionNumber: 1, status: "completed", waitedMs: 0 };
    await db.purgedRun.create({
      data: { id: `${days}`, ...facts, ...usage, isUsagePartial: false, createdAt: daysAgo(days) },
    });
  }
  await after(0);
  const grants = await db.grant.findMany({ orderBy: { id: "asc" } });
  expect(grants.map(({ id }) => id)).toEqual(["expired lately", "open", "revoked lately"]);
  expect((await db.purgedRun.findMany()).map(({ id }) => id)).toEqual(["399"]);
  expect((await selectGrants(db, "th1", "u1")).map(({ id }) => id)).toEqual(["open"]);
});
