import type { Database } from "../../lib/server/platform/db/database";
import { openDatabase } from "../../lib/server/platform/db/database";

interface AcceptedMessage {
  readonly runId: string;
  readonly threadId: string;
  readonly job: string;
}

/** Everything that killing a run at an arbitrary moment must not leave behind, each problem as a sentence. */
export async function checkDatabase(url: string, accepted: readonly AcceptedMessage[]): Promise<string[]> {
  const database = await openDatabase(url);
  try {
    return [...(await findOpen(database)), ...(await findGaps(database)), ...(await findLost(database, accepted))];
  } finally {
    await database.close();
  }
}

async function findOpen(database: Database): Promise<string[]> {
  const runs = await database.run.findMany({ where: { endedAt: null } });
  const spans = await database.span.findMany({ where: { endedAt: null } });
  const approvals = await database.approval.findMany({ where: { status: "pending" } });
  return [
    ...runs.map(({ id, status }) => `run ${id} is still ${status}`),
    ...spans.map(({ id, name, runId, startedAt }) => {
      return `span ${id} (${name}) of ${runId} is still open, begun at ${startedAt.toISOString()}`;
    }),
    ...approvals.map(({ id }) => `approval ${id} is still open`),
  ];
}

/** The events of a run must be numbered without a gap. */
async function findGaps(database: Database): Promise<string[]> {
  const runs = await database.runEvent.groupBy({
    by: ["runId"],
    _count: { seq: true },
    _min: { seq: true },
    _max: { seq: true },
  });
  return runs.flatMap(({ runId, _count, _min, _max }) => {
    const expected = (_max.seq ?? 0) - (_min.seq ?? 0) + 1;
    return _count.seq === expected ? [] : [`the events of ${runId} have ${expected - _count.seq} gaps`];
  });
}

interface EndedRun {
  readonly id: string;
  readonly endedAt: Date;
  /** Whether one of its model calls was recorded. */
  readonly isTraced: boolean;
}

export async function runsEndedBetween(url: string, from: Date, to: Date): Promise<readonly EndedRun[]> {
  const database = await openDatabase(url);
  try {
    const rows = await database.run.findMany({ where: { endedAt: { gte: from, lt: to } } });
    const spans = await database.span.findMany({ where: { type: "llm", startedAt: { gte: from } } });
    const traced = new Set(spans.map(({ runId }) => runId));
    return rows.flatMap(({ id, endedAt }) => (endedAt ? [{ id, endedAt, isTraced: traced.has(id) }] : []));
  } finally {
    await database.close();
  }
}

/** Every message and its answer must be in its thread, in the order in which they were sent. */
async function findLost(database: Database, accepted: readonly AcceptedMessage[]): Promise<string[]> {
  const problems: string[] = [];
  for (const [threadId, sent] of Map.groupBy(accepted, (message) => message.threadId)) {
    const rows = await database.message.findMany({ where: { threadId }, orderBy: { position: "asc" } });
    const spoken = rows.flatMap(({ role, content }) => {
      const job = /(?:job|done) (\S+)/u.exec(content)?.[1];
      const isWord = role === "user" || (role === "assistant" && content.startsWith("done"));
      return isWord && job !== undefined ? [`${role} ${job}`] : [];
    });
    const expected = sent.flatMap(({ job }) => [`user ${job}`, `assistant ${job}`]);
    if (spoken.join() !== expected.join()) {
      const at = expected.findIndex((word, index) => word !== spoken[index]);
      problems.push(`thread ${threadId}: expected ${expected[at]} as number ${at + 1}, found ${spoken[at]}`);
    }
  }
  return problems;
}
