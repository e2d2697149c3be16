import { DatabaseSync } from "node:sqlite";
import { beforeEach, describe, expect, test } from "vitest";
import { scriptedModel } from "@/lib/models/scripted-model";
import { cancelRun } from "@/lib/server/engine/ending/cancel";
import { toRun } from "@/lib/server/engine/run-row";
import type { Database } from "@/lib/server/platform/db/database";
import { addThread, eventsToEnd, reached, runDatabase, say, seedThread } from "@/lib/testing/fixtures/run-fixture";
import { takeJobsOfDeadWorkers } from "@/lib/testing/processes/dead-workers";

/** Rows as a hand, a half restored backup or a later version may leave them. */
const WAYS: Readonly<Record<string, string>> = {
  "a version of its agent that is gone": `update "run" set "agentVersionId" = 'av_gone'`,
  "a version of its agent that is no JSON": versionWith("{broken"),
  "a version of its agent with a field of another type": versionWith('{"name": 5}'),
  "input that is no JSON": `update "run" set "input" = '{broken'`,
  "input of another shape": `update "run" set "input" = '{"messages": 5}'`,
  "an event that is no JSON": `update "run_event" set "data" = '{broken'`,
  "an event of a kind that is not known": `update "run_event" set "data" = '{"type": "run.levitated"}'`,
  "an effort that is not known": `update "run" set "effort" = 'heroic'`,
};

function versionWith(config: string): string {
  const columns = `"id", "agentId", "number", "configHash", "createdAt"`;
  const values = `'av_bad', "agentId", 99, "configHash", "createdAt"`;
  return `insert into "agent_version" (${columns}, "config") select ${values}, '${config}' from "agent_version";
    update "run" set "agentVersionId" = 'av_bad'`;
}

describe("a run whose rows cannot be read", () => {
  const { database, url, startHost, statusOf } = runDatabase();
  beforeEach(() => seedThread(database()));

  test.each(Object.keys(WAYS))("with %s ends as failed, and the process starts and runs the others", async (way) => {
    const { runId } = await leftRunning();
    await withoutReferences(database(), url(), WAYS[way] ?? "");
    await startHost({ model: scriptedModel(["Still here.", "Still here."]), beatMs: 20 });
    await reached(async () => (await statusOf(runId)) === "failed");
    expect(await database().run.findUniqueOrThrow({ where: { id: runId } })).toMatchObject({
      endedAt: expect.any(Date),
      errorMessage: expect.stringMatching(/^[A-Z].*\.$/),
    });
    expect(toRun(await withVersion(runId)).status).toBe("failed");
    await addThread(database(), "th2");
    for (const threadId of ["th1", "th2"]) {
      const { runId: later } = await say(database(), "and now?", { threadId });
      await eventsToEnd(database(), later);
      expect(await statusOf(later)).toBe("completed");
    }
  });

  test("a run whose way to begin is not known ends as failed", async () => {
    const { runId } = await leftRunning();
    await withoutReferences(database(), url(), `update "run" set "origin" = 'telepathy'`);
    await startHost({ model: scriptedModel([]), beatMs: 20 });
    await reached(async () => (await statusOf(runId)) === "failed");
  });

  test("a queued run whose input cannot be read can be stopped", async () => {
    const { runId } = await say(database(), "go");
    await withoutReferences(database(), url(), `update "run" set "input" = '{broken'`);
    await cancelRun(database(), runId, "u1");
    expect(await statusOf(runId)).toBe("cancelled");
  });

  test("a plan that cannot be read is none for the run after it", async () => {
    await startHost({ model: scriptedModel(["One.", "Two."]) });
    await eventsToEnd(database(), (await say(database(), "first")).runId);
    await withoutReferences(database(), url(), `update "run" set "todos" = '{broken'`);
    const { runId } = await say(database(), "second");
    await eventsToEnd(database(), runId);
    expect(await statusOf(runId)).toBe("completed");
  });

  test("a child that cannot be reported holds up neither a start nor the report of another", async () => {
    const parent = await say(database(), "go");
    const ended = { status: "completed", endedAt: new Date() };
    await database().run.update({ where: { id: parent.runId }, data: ended });
    for (const threadId of ["c1", "c2"]) {
      await addThread(database(), threadId);
      const { runId } = await say(database(), "do", { threadId });
      const child = { ...ended, parentRunId: parent.runId, rootRunId: parent.runId, origin: "delegation" };
      await database().run.update({ where: { id: runId }, data: { ...child, isReported: false } });
      if (threadId === "c1") await withoutReferences(database(), url(), badChild(runId));
    }
    await startHost({ model: scriptedModel([]), beatMs: 20 });
    await reached(async () => (await database().run.count({ where: { threadId: "c2", isReported: true } })) === 1);
  });

  test("an ask that cannot be read holds up neither a start nor the expiry of another", async () => {
    const expiresAt = new Date(Date.now() - 1_000);
    for (const threadId of ["a1", "a2"]) {
      await addThread(database(), threadId);
      const { runId } = await say(database(), "do", { threadId });
      await database().run.update({ where: { id: runId }, data: { status: "waiting", waitingFor: "approval" } });
      const asked = { kind: "approval", toolCallId: `call_${threadId}`, tool: "execute", args: "{}", expiresAt };
      await database().approval.create({ data: { id: `ap_${threadId}`, runId, threadId, ownerId: "u1", ...asked } });
    }
    await withoutReferences(database(), url(), `update "approval" set "args" = '{broken' where "id" = 'ap_a1'`);
    await startHost({ model: scriptedModel(["Went on."]), beatMs: 20 });
    await reached(async () => (await database().approval.count({ where: { id: "ap_a2", status: "expired" } })) === 1);
  });

  test("a timer that cannot be read holds up no other", async () => {
    const done: unknown[] = [];
    await startHost({ model: scriptedModel([]), tasks: { remind: async (data) => void done.push(data) } });
    if (database().dialect.provider === "postgresql") return;
    const at = new Date(Date.now() - 1_000);
    for (const [name, data] of [
      ["a", "{broken"],
      ["b", "{}"],
    ] as const) {
      await database().timer.create({ data: { name, task: "remind", at, data } });
    }
    await reached(() => done.length === 1);
  });

  const withVersion = (id: string) =>
    database().run.findUniqueOrThrow({ where: { id }, include: { agentVersion: { select: { number: true } } } });

  /** A run that a process which died was executing, after its first event. */
  async function leftRunning() {
    const { runId } = await say(database(), "go");
    const lease = { status: "running", leaseOwner: "dead", startedAt: new Date(), epoch: 1 };
    await database().run.update({ where: { id: runId }, data: lease });
    const event = { type: "usage.unknown", step: 1 };
    await database().runEvent.create({
      data: { runId, seq: 1, epoch: 1, type: event.type, data: JSON.stringify(event), createdAt: new Date() },
    });
    await takeJobsOfDeadWorkers(database());
    return { runId };
  }
});

/** Its message in the parent is of no form that is known, and its version is gone. */
const badChild = (id: string) =>
  `update "run" set "agentVersionId" = 'av_gone', "status" = 'asleep' where "id" = '${id}'`;

/** Runs the statement without the checks that keep rows together. */
async function withoutReferences(database: Database, url: string, sql: string): Promise<void> {
  if (database.dialect.provider === "postgresql") {
    await database.raw(`do $$ begin set local session_replication_role = replica; ${sql}; end $$`);
    return;
  }
  const own = new DatabaseSync(url.slice("file:".length), { enableForeignKeyConstraints: false });
  own.exec(sql);
  own.close();
}
