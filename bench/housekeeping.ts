// npm run bench:housekeeping [-- --megabytes 675]: the cost of deleting what is no longer kept from a SQLite
// installation of that size, of which about half is too old, and how long single statements delay others.

import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import type { Compilable, CompiledQuery } from "kysely";
import { sweep } from "../lib/server/engine/sweep";
import { type Database, openDatabase } from "../lib/server/platform/db/database";
import { calmPace } from "../lib/server/platform/db/in-chunks";
import { upsertSetting } from "../lib/server/platform/db/queries/settings";
import { parseEnvironment } from "../lib/server/platform/env";
import { runHousekeeping } from "../lib/server/wiring/housekeeping";
import { applyMigrations } from "../scripts/database/apply-migrations";

const { values } = parseArgs({ options: { megabytes: { type: "string", default: "675" } } });
const KILOBYTES_PER_THREAD = 31.5;
const threads = Math.round((Number(values.megabytes) * 1_000) / KILOBYTES_PER_THREAD);
/** No single statement may take longer. */
const LIMIT_MS = 50;

const directory = mkdtempSync(path.join(tmpdir(), "ringmaster-house-"));
const file = path.join(directory, "ringmaster.db");
try {
  await applyMigrations(`file:${file}`);
  const database = await openDatabase(`file:${file}`);
  await seed(database);
  const before = megabytes();
  const timed = timeStatements(database);
  let restedMs = 0;
  const calm = calmPace();
  const pace = {
    async rest(tookMs: number) {
      const start = performance.now();
      const goesOn = await calm.rest(tookMs);
      restedMs += performance.now() - start;
      return goesOn;
    },
  };
  // The pauses alone would not keep the process alive.
  const alive = setInterval(() => undefined, 60_000);
  const start = performance.now();
  await sweep(timed.database, Date.now(), { keepEventsMs: 86_400_000, pace });
  const swept = performance.now();
  const { retention } = parseEnvironment({}, directory);
  await runHousekeeping(timed.database, { retention, nowMs: Date.now(), pace, dataDirectory: directory });
  clearInterval(alive);
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  const all = performance.now() - start;
  console.log(`${threads} threads: ${before} MB, then ${megabytes()} MB`);
  console.log(
    `sweep ${seconds(swept - start)}, housekeeping ${seconds(start + all - swept)}, rested ${seconds(restedMs)}`,
  );
  console.table(timed.rows());
  if (timed.rows().some((row) => row.mostCpu > LIMIT_MS)) process.exitCode = 1;
  await database.close();
} finally {
  rmSync(directory, { recursive: true, force: true });
}

function megabytes(): number {
  return Math.round(statSync(file).size / 1e6);
}

/**
 * The database, with a record of how often and how long each statement ran, and the most CPU time that one took, which
 * other work on the machine does not affect (ms).
 */
function timeStatements(database: Database) {
  const known = new Map<string, { count: number; total: number; most: number; mostCpu: number }>();
  const note = (sql: string, tookMs: number, cpuMs: number) => {
    const name = sql.replaceAll(/\s+/g, " ").replaceAll(/limit \d+/g, "limit n");
    const { count, total, most, mostCpu } = known.get(name) ?? { count: 0, total: 0, most: 0, mostCpu: 0 };
    known.set(name, {
      count: count + 1,
      total: total + tookMs,
      most: Math.max(most, tookMs),
      mostCpu: Math.max(mostCpu, cpuMs),
    });
  };
  const timed = async <Result>(sql: string, work: () => Promise<Result>) => {
    const [start, before] = [performance.now(), process.cpuUsage()];
    const result = await work();
    const { user, system } = process.cpuUsage(before);
    note(sql, performance.now() - start, (user + system) / 1_000);
    return result;
  };
  const wrapped = new Proxy(database, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (name === "execute") {
        return (query: Compilable | CompiledQuery, ...rest: []) => {
          const compiled = "sql" in query ? query : query.compile();
          return timed(compiled.sql, () => target.execute(compiled, ...rest));
        };
      }
      if (name !== "runAll") return value;
      return (statements: Parameters<Database["runAll"]>[0], ...rest: []) =>
        timed(statements[0]?.sql ?? "", () => target.runAll(statements, ...rest));
    },
  });
  const round = (ms: number) => Math.round(ms * 10) / 10;
  const rows = () =>
    [...known]
      .toSorted(([, left], [, right]) => right.total - left.total)
      .map(([sql, { count, total, most, mostCpu }]) => ({
        statement: sql.slice(0, 110),
        count,
        total: round(total),
        most: round(most),
        mostCpu: round(mostCpu),
      }));
  return { database: wrapped, rows };
}

/**
 * Threads over the last 180 days, two fifths of them deleted 60 days ago, each with a run, its events, trace and files;
 * and two years of audit entries.
 */
async function seed(database: Database): Promise<void> {
  const at = (days: string) => `strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now', '-' || (${days}) || ' days')`;
  const begun = at("n * 180.0 / $1");
  const text = (length: number) => `hex(randomblob(${length / 2}))`;
  const numbers = "with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < $1)";
  const several = (count: number) => `, some(k) as (select 1 union all select k + 1 from some where k < ${count}) `;
  const fill = (table: string, columns: string, row: string, count = 1) =>
    database.raw(`insert into "${table}" (${columns}) ${numbers}${several(count)} select ${row} from numbers, some`, [
      threads,
    ]);
  await database.user.create({ data: { id: "u", name: "Ada", email: "ada@example.test" } });
  await database.agent.create({ data: { id: "a" } });
  await database.agentVersion.create({
    data: { id: "av", agentId: "a", number: 1, configHash: "a", config: '{"name":"A","model":"demo:demo"}' },
  });
  await database.agent.update({ where: { id: "a" }, data: { currentVersionId: "av" } });
  await fill(
    "thread",
    `"id", "ownerId", "agentId", "clientId", "title", "createdAt", "updatedAt", "deletedAt"`,
    `'th' || n, 'u', 'a', 'th' || n, 'A title', ${begun}, ${begun}, case when n % 5 < 2 then ${at("60")} end`,
  );
  await fill(
    "run",
    `"id", "threadId", "ownerId", "agentId", "agentVersionId", "traceId", "input", "assistantMessageId", "status",
      "createdAt", "startedAt", "endedAt"`,
    `'run' || n, 'th' || n, 'u', 'a', 'av', 'tr' || n, ${text(300)}, 'msg' || n, 'completed', ${begun}, ${begun}, ${begun}`,
  );
  await fill(
    "run_event",
    `"runId", "seq", "epoch", "type", "data", "createdAt"`,
    `'run' || n, k, 1, 'text.delta', ${text(300)}, ${begun}`,
    10,
  );
  await fill(
    "message",
    `"id", "threadId", "runId", "position", "role", "content", "createdAt"`,
    `'m' || n || '-' || k, 'th' || n, 'run' || n, k, 'assistant', ${text(400)}, ${begun}`,
    8,
  );
  await fill(
    "transcript_message",
    `"id", "threadId", "runId", "position", "role", "parts", "text", "createdAt"`,
    `'t' || n || '-' || k, 'th' || n, 'run' || n, k, 'assistant', ${text(1_200)}, ${text(400)}, ${begun}`,
    2,
  );
  await fill(
    "approval",
    `"id", "runId", "threadId", "ownerId", "kind", "toolCallId", "tool", "args", "status", "createdAt"`,
    `'ap' || n || '-' || k, 'run' || n, 'th' || n, 'u', 'approval', 'c' || k, 'execute', ${text(200)}, 'approved', ${begun}`,
    2,
  );
  await fill(
    "trace",
    `"id", "runId", "ownerId", "threadId", "agentId", "agentVersionId", "agentVersion", "status", "startedAt", "endedAt"`,
    `'tr' || n, 'run' || n, 'u', 'th' || n, 'a', 'av', 1, 'completed', ${begun}, ${begun}`,
  );
  await fill(
    "span",
    `"id", "traceId", "runId", "type", "name", "status", "attributes", "startedAt", "endedAt"`,
    `'sp' || n || '-' || k, 'tr' || n, 'run' || n, 'tool', 'read_file', 'completed', ${text(400)}, ${begun}, ${begun}`,
    12,
  );
  await fill(
    "workspace",
    `"id", "agentId", "ownerId", "threadId", "scopeKey", "createdAt"`,
    `'ws' || n, 'a', 'u', 'th' || n, 'a/u/th' || n, ${begun}`,
  );
  await fill(
    "blob",
    `"hash", "content", "sizeBytes", "createdAt"`,
    `printf('%063x%x', n, k), randomblob(2000), 2000, ${begun}`,
    3,
  );
  await fill(
    "workspace_file",
    `"workspaceId", "path", "blobHash", "sizeBytes", "updatedAt"`,
    `'ws' || n, 'notes/' || k || '.md', printf('%063x%x', n, k), 2000, ${begun}`,
    2,
  );
  await fill(
    "file_version",
    `"id", "workspaceId", "path", "version", "blobHash", "sizeBytes", "threadId", "runId", "createdAt"`,
    `'fv' || n || '-' || k, 'ws' || n, 'notes/' || k || '.md', 1, printf('%063x%x', n, k), 2000, 'th' || n, 'run' || n, ${begun}`,
    2,
  );
  await fill(
    "audit_entry",
    `"id", "actorId", "action", "target", "details", "createdAt"`,
    `'au' || n || '-' || k, 'u', 'agent.updated', 'agent', ${text(200)}, ${at("n * 730.0 / $1")}`,
    4,
  );
  await upsertSetting(database, "blobs-recorded-since", "0");
}
