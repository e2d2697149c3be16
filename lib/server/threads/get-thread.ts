import "server-only";
import { Effort } from "@/lib/schema/agents/choices";
import { OPEN_STATUSES, RunStatus } from "@/lib/schema/runs/run";
import { showUsage } from "@/lib/schema/runs/usage";
import { FIRST_MESSAGES, type ThreadDetail } from "@/lib/schema/threads/thread";
import type { Reader } from "@/lib/schema/users/user";
import { loadHeld } from "@/lib/server/engine/queue/queue-order";
import type { QueuedMessage } from "@/lib/server/engine/queue/queued-message";
import { readInputOrNone } from "@/lib/server/engine/run-input";
import { usageOfRow } from "@/lib/server/engine/run-row";
import { shownTraceId } from "@/lib/server/engine/trace-id";
import { loadTodos } from "@/lib/server/engine/transcript/load-todos";
import type { Database } from "@/lib/server/platform/db/database";
import { selectThreadEnd } from "@/lib/server/platform/db/queries/paths";
import type { Services } from "@/lib/server/platform/services";
import { shownStatuses } from "@/lib/server/views/shown-status";
import type { BranchSummary } from "./branches/branch-summary";
import {
  findThreadRuns,
  loadTranscript,
  type ShownBranches,
  type ThreadRun,
  type TranscriptWindow,
  toTranscriptMessages,
} from "./load-transcript";
import { describeThreads, requireReadableThread, type ThreadRow } from "./thread-row";
import { providerOf, THREAD_USAGE_FIELDS, usageOfThread } from "./thread-usage";

/** Which of a thread's messages are wanted. */
interface WantedMessages {
  /** Default: the newest. */
  readonly window?: TranscriptWindow;
  /** Default: `chosen`. */
  readonly branches?: ShownBranches;
}

/**
 * Everything the chat page shows first: the newest messages unless `window` says otherwise; the other fields cover the
 * whole thread. A thread the viewer can't read is `not_found`.
 */
export async function getThread(
  services: Services,
  threadId: string,
  viewer: Reader,
  { window = { limit: FIRST_MESSAGES }, branches }: WantedMessages = {},
): Promise<ThreadDetail> {
  const { database } = services;
  const row = await requireReadableThread(database, threadId, viewer);
  const [[summary], transcript, open, held, latest, todos, used, activeSince] = await Promise.all([
    describeThreads(database, [row], viewer),
    loadTranscript(database, row, window, branches),
    findOpenRuns(database, threadId),
    loadHeld(database, threadId),
    findLatestTrace(database, threadId, viewer),
    loadTodos(database, { threadId }),
    database.thread.findUniqueOrThrow({ where: { id: threadId }, select: THREAD_USAGE_FIELDS }),
    findHandoffTime(database, row),
  ]);
  if (!summary) throw new Error("a thread was described as nothing");
  const { rows, earlierCursor, facts } = transcript;
  const [statuses, runs] = await Promise.all([
    shownStatuses(database, open),
    findThreadRuns(
      database,
      threadId,
      rows.map(({ runId }) => runId),
    ),
  ]);
  const [current] = open;
  const activeAgentId = row.activeAgentId ?? row.agentId;
  return {
    ...summary,
    clientId: row.clientId,
    activeAgentId,
    ...(activeSince === null ? {} : { activeSince: activeSince.toISOString() }),
    ...(row.takenBackAt === null ? {} : { takenBackAt: row.takenBackAt.toISOString() }),
    messages: await toTranscriptMessages(database, { rows, runs, facts, viewerId: row.projectId && viewer.id }),
    earlierCursor,
    ...(facts ? { branches: await shownBranch(database, threadId) } : {}),
    ...(held.length === 0 ? {} : { held: held.map((one) => heldMessage(one, viewer, activeAgentId)) }),
    openRuns: open.map((run) => ({
      id: run.id,
      status: statuses.get(run.id) ?? RunStatus.parse(run.status),
      assistantMessageId: run.assistantMessageId,
      ...sentBy(run),
      ...(run.ownerId === viewer.id ? {} : { byAnother: true as const }),
      ...(current && run.steersRunId === current.id ? { steers: true as const } : {}),
      ...chosenFor(run, activeAgentId),
      createdAt: run.createdAt.toISOString(),
      usage: showUsage(usageOfRow(run)),
      ...(facts && !facts.isShown(run.id) ? { elsewhere: true as const } : {}),
      ...(facts ? placesOf(run, facts) : {}),
    })),
    todos,
    latestTraceId: latest,
    model: used.model,
    provider: providerOf(used.model),
    usage: usageOfThread(used, open),
  };
}

type Chosen = Pick<ThreadRun, "modelOverride" | "effort" | "agentId">;

/** What a message was sent with, where that is not the thread's own. */
function chosenFor({ modelOverride, effort, agentId }: Chosen, activeAgentId: string) {
  return {
    ...(modelOverride === null ? {} : { model: modelOverride }),
    ...(effort === null ? {} : { effort: Effort.parse(effort) }),
    ...(agentId === activeAgentId ? {} : { agentId }),
  };
}

function heldMessage({ row, message }: QueuedMessage, viewer: Reader, activeAgentId: string) {
  return {
    id: row.id,
    text: message.content,
    ...(row.ownerId === viewer.id ? {} : { byAnother: true as const }),
    ...chosenFor(row, activeAgentId),
  };
}

function sentBy({ input }: ThreadRun): { readonly text: string; readonly messageId?: string } {
  const sent = readInputOrNone(input).messages.findLast(({ role }) => role === "user");
  return { text: sent?.content ?? "", ...(sent?.id === undefined ? {} : { messageId: sent.id }) };
}

function placesOf(run: ThreadRun, { ofMessage }: BranchSummary) {
  const { messageId } = sentBy(run);
  return {
    replyPlace: ofMessage(run.assistantMessageId),
    ...(messageId === undefined ? {} : { messagePlace: ofMessage(messageId) }),
  };
}

/** When the agent that answers took over; null while the thread's own answers. */
async function findHandoffTime(database: Database, row: Pick<ThreadRow, "id" | "activeAgentId">): Promise<Date | null> {
  const { id: threadId, activeAgentId: agentId } = row;
  if (agentId === null) return null;
  const run = await database.run.findFirst({
    where: { threadId, agentId, origin: "handoff" },
    orderBy: [{ position: "desc" }, { id: "desc" }],
    select: { createdAt: true },
  });
  return run?.createdAt ?? null;
}

/** The start position for readers of the thread's stream: after the last ended run of any branch. */
async function shownBranch(database: Database, threadId: string) {
  const ended = await database.run.findFirst({
    where: { threadId, parentRunId: null, endedAt: { not: null } },
    orderBy: [{ position: "desc" }, { id: "desc" }],
    select: { id: true },
  });
  return { lastEndedRunId: ended?.id ?? null };
}

async function findOpenRuns(database: Database, threadId: string): Promise<ThreadRun[]> {
  return database.run.findMany({
    where: { threadId, parentRunId: null, status: { in: [...OPEN_STATUSES] }, heldAt: null },
    orderBy: [{ position: "asc" }, { id: "asc" }],
    include: { agentVersion: { select: { number: true } } },
  });
}

/** The trace of the last run on the shown branch, if the viewer started that run. */
async function findLatestTrace(database: Database, threadId: string, viewer: Reader): Promise<string | null> {
  const { leafRunId } = await selectThreadEnd(database, threadId);
  const run = await database.run.findUnique({
    where: { id: leafRunId ?? "" },
    select: { ownerId: true, traceId: true },
  });
  return run?.ownerId === viewer.id ? shownTraceId(run.traceId) : null;
}
