import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { startRun } from "../../lib/server/engine/accept";
import { PostgresNotifier } from "../../lib/server/engine/log/notify";
import { openDatabase } from "../../lib/server/platform/db/database";

/** A run's message: each has its own thread. */
interface Post {
  readonly user: string;
  readonly text: string;
}

export type SharedDatabase = Awaited<ReturnType<typeof addAgents>>;

/** The agents `bench` and `asking` on the database, which this process uses as a serving process does. */
export async function addAgents(url: string) {
  const database = await openDatabase(url);
  const notifier = new PostgresNotifier(database);
  await notifier.start();
  const off = { loop_guard: { enabled: false }, compaction: { enabled: false } };
  const config = {
    name: "Bench",
    model: "openai-compatible:bench",
    tools: ["calculate"],
    max_iterations: 100,
    retries: 0,
    ...off,
  };
  const asks = { permissions: { enabled: true, ask: ["calculate"] } };
  for (const [id, more] of Object.entries({ bench: {}, asking: asks })) {
    const version = { id: `av_${id}`, number: 1, configHash: id, config: JSON.stringify({ ...config, ...more }) };
    await database.agent.create({ data: { id, versions: { create: version } } });
    await database.agent.update({ where: { id }, data: { currentVersionId: version.id } });
  }
  let threads = 0;

  const one = async (sql: string, parameters: readonly string[] = []) => {
    const [row] = await database.raw<{ value: number }>(sql, parameters);
    return Number(row?.value ?? 0);
  };
  const post = async ({ user, text }: Post): Promise<string> => {
    threads += 1;
    const threadId = `th_${threads}`;
    await database.thread.create({ data: { id: threadId, ownerId: user, agentId: "bench", clientId: threadId } });
    const messages = [{ role: "user" as const, content: text }];
    return (await startRun(database, { ownerId: user, threadId, agentId: "bench", messages })).runId;
  };

  return {
    raw: database.raw,
    post,
    addUser: (id: string) => database.user.create({ data: { id, name: id, email: `${id}@example.test` } }),
    async timeToClaim(id: string): Promise<number> {
      await this.addUser(id);
      const runId = await post({ user: id, text: `hello from ${id}` });
      const start = performance.now();
      while ((await one(`select count(*) as value from "run" where "id" = $1 and "epoch" > 0`, [runId])) === 0);
      return performance.now() - start;
    },
    openRuns: () => one(`select count(*) as value from "run" where "endedAt" is null`),
    failedRuns: () => one(`select count(*) as value from "run" where "status" not in ('completed')`),
    completedRuns: () => one(`select count(*) as value from "run" where "status" = 'completed'`),
    takenOver: () => one(`select count(*) as value from "run" where "takeovers" > 0`),
    /** Runs whose event numbers have a gap. */
    gaps: () =>
      one(
        `select count(*) as value from (select "runId" from "run_event" group by "runId" having max("seq") <> count(*)) as g`,
      ),
    /** The number of these runs that have not completed. */
    notCompleted: async (runIds: readonly string[]) =>
      runIds.length - (await database.run.count({ where: { id: { in: [...runIds] }, status: "completed" } })),
    /** Keys of the thread's owner, each with what stands behind `Bearer`. */
    async addKeysFor(threadId: string, count: number): Promise<string[]> {
      const { ownerId } = await database.thread.findUniqueOrThrow({ where: { id: threadId } });
      const keys = Array.from({ length: count }, (_, number) => `rm_idle_${number}`);
      const columns = { userId: ownerId ?? "", name: "Idle", prefix: "rm_idle", scopes: '["read"]' };
      await database.apiKey.createMany({
        data: keys.map((key) => ({ ...columns, id: key, sha256: createHash("sha256").update(key).digest("hex") })),
      });
      return keys;
    },
    /** Empty threads of the same owner; their ids. */
    async addThreadsLike(threadId: string, count: number): Promise<string[]> {
      const { ownerId, agentId } = await database.thread.findUniqueOrThrow({ where: { id: threadId } });
      const ids = Array.from({ length: count }, (_, number) => `th_idle_${number}`);
      await database.thread.createMany({ data: ids.map((id) => ({ id, ownerId, agentId, clientId: id })) });
      return ids;
    },
    /**
     * Statements per second that all processes together send to Postgres in this time; nearly each is a transaction.
     */
    async queriesIn(durationMs: number): Promise<number> {
      const sql = `select xact_commit + xact_rollback as value from pg_stat_database where datname = current_database()`;
      const before = await one(sql);
      await sleep(durationMs);
      return ((await one(sql)) - before) / (durationMs / 1_000);
    },
    /** The claim of each running one. */
    async epochs(runIds: readonly string[]): Promise<Map<string, number>> {
      const rows = await database.run.findMany({ where: { id: { in: [...runIds] }, status: "running" } });
      return new Map(rows.map(({ id, epoch }) => [id, epoch]));
    },
    /** The time from `at` until each of these runs began its next segment, for those that did. */
    async movedOn(before: ReadonlyMap<string, number>, at: number): Promise<number[]> {
      const rows = await database.runEvent.findMany({
        where: { runId: { in: [...before.keys()] }, type: "run.started" },
      });
      const next = rows.filter(({ runId, epoch }) => epoch > (before.get(runId) ?? 0));
      const first = Map.groupBy(next, ({ runId }) => runId);
      return [...first.values()].map((events) => Math.min(...events.map(({ createdAt }) => createdAt.getTime())) - at);
    },
    async close(): Promise<void> {
      await notifier.close();
      await database.close();
    },
  };
}

export async function addUsers(database: SharedDatabase, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) await database.addUser(`user_${number}`);
}

/** Rows of runs with their jobs, as posts leave them, and of ended runs. */
export async function addQueuedRuns(
  { raw }: SharedDatabase,
  { runs, users, endedRuns }: { runs: number; users: number; endedRuns: number },
): Promise<void> {
  await raw(`insert into "thread" ("id", "ownerId", "agentId", "clientId")
    select 'q' || n, 'user_' || n % 20, 'bench', 'q' || n from generate_series(1, ${runs + endedRuns}) n`);
  await raw(`insert into "run" ("id", "threadId", "ownerId", "agentId", "agentVersionId", "traceId", "input",
      "assistantMessageId", "position", "status", "endedAt")
    select 'q' || n, 'q' || n, 'u' || n % ${users}, 'bench', 'av_bench', '', '{}', 'm' || n, 1,
      case when n <= ${runs} then 'queued' else 'completed' end, case when n <= ${runs} then null else now() end
    from generate_series(1, ${runs + endedRuns}) n`);
  await raw(`insert into pgboss.job (name, data, priority, group_id, singleton_key, policy, heartbeat_seconds, retry_limit)
    select 'segment.v1', json_build_object('runId', 'q' || n)::jsonb, -(n / ${users}), 'u' || n % ${users},
      'q' || n || ':0', 'exclusive', 10, 1000 from generate_series(1, ${runs}) n`);
  await raw(`analyze "run"`);
  await raw("analyze pgboss.job");
}

export async function emptyRuns({ raw }: SharedDatabase): Promise<void> {
  await raw(`delete from pgboss.job where name = 'segment.v1'`);
  await raw(`delete from "run_event"`);
  await raw(`delete from "thread"`);
}
