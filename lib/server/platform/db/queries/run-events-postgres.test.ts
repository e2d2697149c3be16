import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { addThread, runDatabase, say, seedThread } from "@/lib/testing/fixtures/run-fixture";
import { claimRun, isClaimable } from "./dispatch/claims";
import { insertRunEvents, type NewRunEvent } from "./run-events";

const { database, url } = runDatabase();

test("rows that were stored already, as when the answer was lost, count as stored; those of another epoch don't", async () => {
  await seedThread(database());
  const { runId } = await say(database(), "go");
  const hold = (epoch: number) =>
    database().run.update({ where: { id: runId }, data: { status: "running", leaseOwner: "me", epoch } });
  const event = { type: "text.delta", step: 1, delta: "a" };
  const columns = { type: event.type, data: JSON.stringify(event), createdAt: new Date(0) };
  const insert = (epoch: number) =>
    insertRunEvents(database(), "me", [{ runId, seq: 1, epoch, ...columns }], { durability: "full" });
  await hold(1);
  expect([...(await insert(1)).stored]).toEqual([runId]);
  expect([...(await insert(1)).stored]).toEqual([runId]);
  await hold(2);
  expect([...(await insert(2)).stored]).toEqual([]);
  expect(await database().runEvent.findMany({ where: { runId } })).toMatchObject([{ seq: 1, epoch: 1 }]);
});

const delta = { type: "text.delta", data: "{}", createdAt: new Date(0) };

async function startHeldRun(): Promise<
  NewRunEvent & { readonly again: { runId: string; owner: string; isRetry: true } }
> {
  await seedThread(database());
  const { runId } = await say(database(), "go");
  await claimRun(database(), { runId, owner: "me", isRetry: false });
  return { ...delta, runId, seq: 1, epoch: 1, again: { runId, owner: "another", isRetry: true } };
}

/** Another connection's transaction, which stays open until the test ends. */
async function openTransaction(...statements: string[]): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url() });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query("begin");
  for (const statement of statements) await client.query(statement);
  return client;
}

test("a takeover does not overtake a slow insert of the process that had the run, nor wait for it", async () => {
  const { again, ...row } = await startHeldRun();
  const statements: [string, unknown[]][] = [];
  const execute = async ({ sql, parameters }: { sql: string; parameters: unknown[] }) => {
    statements.push([sql, parameters]);
    return [{ runId: row.runId }];
  };
  const recorder = { execute, dialect: database().dialect } as never;
  await insertRunEvents(recorder, "me", [row], { durability: "full" });
  const slow = await openTransaction();
  for (const [sql, parameters] of statements) await slow.query(sql, parameters);
  expect(await claimRun(database(), again)).toBeNull();
  expect(await isClaimable(database(), again)).toBe(true);
  await slow.query("commit");
  expect(await claimRun(database(), again)).toMatchObject({ epoch: 2, takeovers: 1 });
  expect(await database().runEvent.count({ where: { runId: row.runId } })).toBe(1);
});

test("a run whose row somebody holds keeps neither claims nor the events of other runs waiting", async () => {
  const { again, ...row } = await startHeldRun();
  await addThread(database(), "th2");
  const { runId } = await say(database(), "go", { threadId: "th2" });
  await claimRun(database(), { runId, owner: "me", isRetry: false });
  await openTransaction(`select 1 from "run" where "id" = '${row.runId}' for update`);
  expect(await claimRun(database(), again)).toBeNull();
  const { stored, locked } = await insertRunEvents(database(), "me", [row, { ...row, runId }], { durability: "full" });
  expect([[...stored], [...locked]]).toEqual([[runId], [row.runId]]);
});

test("a row that is not stored is never reported as stored because its neighbours are", async () => {
  const { again: _, ...row } = await startHeldRun();
  await database().runEvent.create({ data: { ...row, epoch: 7 } });
  const { stored } = await insertRunEvents(database(), "me", [row, { ...row, seq: 2 }], { durability: "full" });
  expect([...stored]).toEqual([]);
});
