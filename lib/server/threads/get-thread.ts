import "server-only";
import { z } from "zod";
import { type Run, RunStatus } from "@/lib/schema/run";
import { type ThreadDetail, TranscriptMessage } from "@/lib/schema/thread";
import { Todo } from "@/lib/schema/todo";
import type { MessageMetadata } from "@/lib/schema/ui-message";
import { addUsage, NO_USAGE } from "@/lib/schema/usage";
import { database } from "../db";
import { type RunRow, toRun, usageOfRow } from "../runs/run-row";
import { shownStatuses } from "../runs/shown-status";
import { describeThreads, OPEN_STATUSES, requireOwnThread } from "./thread-row";

type ThreadRun = RunRow & { readonly assistantMessageId: string };

/** Everything the chat page shows first. Somebody else's thread is `not_found`. */
export async function getThread(threadId: string, ownerId: string): Promise<ThreadDetail> {
  const row = await requireOwnThread(threadId, ownerId);
  const [[summary], messages, runs, todos] = await Promise.all([
    describeThreads([row]),
    database().transcriptMessage.findMany({
      where: { threadId },
      orderBy: { position: "asc" },
      select: { id: true, runId: true, role: true, parts: true, text: true },
    }),
    findRuns(threadId),
    listTodos(threadId, ownerId),
  ]);
  if (!summary) throw new Error("a thread was described as nothing");
  const statuses = await shownStatuses(database(), runs);
  const models = await findModels(runs.map(({ traceId }) => traceId));
  const byId = new Map(runs.map((run) => [run.id, run]));
  const texts = new Map(messages.flatMap(({ role, runId, text }) => (role === "user" ? [[runId, text] as const] : [])));
  return {
    ...summary,
    clientId: row.clientId,
    messages: messages.map(({ id, runId, role, parts }) => {
      const run = byId.get(runId);
      const metadata = run ? metadataOf(run, models.get(run.traceId)) : undefined;
      return { ...TranscriptMessage.parse({ id, role, parts: JSON.parse(parts) }), ...(metadata ? { metadata } : {}) };
    }),
    openRuns: runs
      .filter(({ status }) => OPEN_STATUSES.includes(status))
      .map((run) => ({
        id: run.id,
        status: statuses.get(run.id) ?? RunStatus.parse(run.status),
        assistantMessageId: run.assistantMessageId,
        text: texts.get(run.id) ?? "",
        createdAt: run.createdAt.toISOString(),
      })),
    todos,
    latestTraceId: runs.at(-1)?.traceId ?? null,
    usage: sumUsage(runs),
  };
}

/** The plan of the thread, in its order. */
export async function listTodos(threadId: string, ownerId: string): Promise<Todo[]> {
  const rows = await database().todo.findMany({
    where: { threadId, thread: { ownerId, deletedAt: null } },
    orderBy: { position: "asc" },
    select: { todoId: true, title: true, status: true },
  });
  return z.array(Todo).parse(rows.map(({ todoId, title, status }) => ({ id: todoId, title, status })));
}

async function findRuns(threadId: string): Promise<ThreadRun[]> {
  return database().run.findMany({
    where: { threadId, parentRunId: null },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    include: { agentVersion: { select: { number: true } } },
  });
}

/** `provider:model` that answered, by trace. */
async function findModels(traceIds: string[]): Promise<Map<string, string | null>> {
  const traces = await database().trace.findMany({
    where: { id: { in: traceIds } },
    select: { id: true, model: true },
  });
  return new Map(traces.map(({ id, model }) => [id, model]));
}

function metadataOf(row: ThreadRun, model: string | null | undefined): MessageMetadata {
  const run: Run = toRun(row);
  return {
    runId: run.id,
    traceId: run.traceId,
    agentId: run.agentId,
    status: run.status,
    steps: run.steps,
    usage: usageOfRow(row),
    costUsd: row.costUsd,
    ...(model ? { model } : {}),
    ...(row.startedAt ? { startedAtMs: row.startedAt.getTime() } : {}),
    ...(row.endedAt ? { endedAtMs: row.endedAt.getTime() } : {}),
  };
}

/** The cost is unknown as soon as one run's is. */
function sumUsage(runs: readonly ThreadRun[]): ThreadDetail["usage"] {
  const usage = runs.map(usageOfRow).reduce(addUsage, NO_USAGE);
  const ended = runs.filter(({ status }) => !OPEN_STATUSES.includes(status));
  const costUsd = ended.reduce<number | null>(
    (sum, run) => (sum === null || run.costUsd === null ? null : sum + run.costUsd),
    0,
  );
  return { ...usage, totalTokens: usage.inputTokens + usage.outputTokens, costUsd };
}
