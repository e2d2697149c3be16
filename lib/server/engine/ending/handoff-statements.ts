import { AppError } from "@/lib/schema/app-error";
import { answersChat } from "@/lib/schema/runs/run";
import { loadCurrentVersion } from "@/lib/server/engine/agent-version";
import { dispatchStatements } from "@/lib/server/engine/dispatch/dispatcher-of";
import { loadWaiting } from "@/lib/server/engine/queue/queue-order";
import { RunInput } from "@/lib/server/engine/run-input";
import { NO_TRACE } from "@/lib/server/engine/trace-id";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { accessOfOwner } from "@/lib/server/platform/db/queries/agent-access";
import { handQueuedStatement, makeRoomStatements } from "@/lib/server/platform/db/queries/dispatch/queued-runs";
import { isOnPath, selectThreadEnd } from "@/lib/server/platform/db/queries/paths";
import { insertRunStatement } from "@/lib/server/platform/db/queries/runs";
import { updateThreadStatement } from "@/lib/server/platform/db/queries/threads";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";

/**
 * Stored with the end of a run that hands its conversation over: a run of the other agent, which follows on the same
 * path without a new message and before what is queued there, and the change that lets that agent answer from now on,
 * queued messages included. Nothing if that agent has become unavailable. The caller holds the thread's lock.
 */
export async function handoffStatements(database: Database, runId: string, agentId: string): Promise<SqlStatement[]> {
  const run = await database.run.findUniqueOrThrow({ where: { id: runId }, include: { thread: true } });
  const { threadId, ownerId, thread } = run;
  const version = await loadCurrentVersion(database, agentId, accessOfOwner(ownerId)).catch(unlessMissing);
  if (version === null) return [];
  const { handoffs = 0 } = RunInput.parse(JSON.parse(run.input));
  const end = await selectThreadEnd(database, threadId);
  const isShown = !end.isBranched || (await isOnPath(database, runId, end.leafRunId));
  const id = createId("run");
  const position = run.position + 1;
  const input: RunInput = { messages: [], transcriptPosition: null, handoffs: handoffs + 1 };
  return [
    ...makeRoomStatements(threadId, { position, behind: runId, first: id }),
    ...(await handedStatements(database, run, agentId)),
    insertRunStatement({
      id,
      threadId,
      ownerId,
      agentId,
      agentVersionId: version.id,
      traceId: run.traceId === NO_TRACE ? NO_TRACE : createId("tr"),
      costUsd: 0,
      assistantMessageId: createId("msg"),
      input: JSON.stringify(input),
      origin: "handoff",
      originDetails: answersChat(run) ? run.originDetails : null,
      attended: run.attended,
      continuesRunId: null,
      modelOverride: null,
      effort: null,
      apiKeyId: run.apiKeyId,
      idempotencyKey: null,
      position,
      afterRunId: runId,
      regeneratesRunId: null,
      createdAt: new Date(),
      projectId: run.projectId,
      fileScope: run.fileScope,
    }),
    updateThreadStatement(threadId, {
      activeAgentId: agentId === thread.agentId ? null : agentId,
      ...(isShown && end.leafRunId === runId ? { leafRunId: id } : {}),
    }),
    ...(await dispatchStatements(database, { id, ownerId, segment: 0 })),
  ];
}

/**
 * The queued messages that the run's agent would have answered: the other agent answers them, with its own model. A
 * member who may not use that agent keeps the one they wrote to.
 */
async function handedStatements(
  database: Database,
  { id, threadId, agentId: fromId }: { readonly id: string; readonly threadId: string; readonly agentId: string },
  agentId: string,
): Promise<SqlStatement[]> {
  const behind = new Set([id]);
  const statements: SqlStatement[] = [];
  const { queue, held } = await loadWaiting(database, threadId);
  for (const { row, input } of [...queue, ...held]) {
    // What is held is sent at the end of the thread.
    if (row.heldAt === null && !behind.has(row.afterRunId ?? "")) continue;
    behind.add(row.id);
    if (row.agentId !== fromId || row.regeneratesRunId !== null) continue;
    const version = await loadCurrentVersion(database, agentId, accessOfOwner(row.ownerId)).catch(unlessMissing);
    if (version === null) continue;
    const { handoffs, ...rest } = input;
    const next: RunInput = handoffs === undefined || version.config.delegates.length === 0 ? rest : input;
    statements.push(handQueuedStatement(row, { agentId, versionId: version.id, input: JSON.stringify(next) }));
  }
  return statements;
}

function unlessMissing(error: unknown): null {
  if (error instanceof AppError && error.code === "not_found") return null;
  throw error;
}
