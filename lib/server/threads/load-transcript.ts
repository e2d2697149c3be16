import "server-only";
import { Effort } from "@/lib/schema/agents/choices";
import type { MessageMetadata } from "@/lib/schema/messages/ui-message";
import { endedUnfinished, type Run } from "@/lib/schema/runs/run";
import { Spending, showUsage } from "@/lib/schema/runs/usage";
import { TranscriptMessage } from "@/lib/schema/threads/thread";
import { draftRevisionOf } from "@/lib/server/engine/run-input";
import { type RunRow, toRun, usageOfRow } from "@/lib/server/engine/run-row";
import type { Database } from "@/lib/server/platform/db/database";
import { readEach } from "@/lib/server/platform/db/each-alone";
import { selectTranscript, selectTranscriptSizes, type TranscriptRow } from "@/lib/server/platform/db/queries/messages";
import { selectThreadEnd } from "@/lib/server/platform/db/queries/paths";
import { selectRunsWithEvents } from "@/lib/server/platform/db/queries/run-events";
import { userNames } from "@/lib/server/users/user-names";
import { type BranchSummary, loadBranchSummary } from "./branches/branch-summary";
import { withLiveCards } from "./live-cards";
import { agentNames, type ThreadRow } from "./thread-row";

export type ThreadRun = RunRow & {
  readonly ownerId: string;
  readonly input: string;
  readonly assistantMessageId: string;
  readonly notice: string | null;
  readonly cancelledBy: string | null;
  readonly steersRunId: string | null;
  readonly modelOverride: string | null;
  readonly effort: string | null;
  /** JSON of a Spending; null if nothing of what it used was for something else. */
  readonly spentUntitled: string | null;
};

/** A page ends early if its messages exceed this size, but not before it contains a question and its answer. */
const MOST_CHARACTERS = 400_000;
const FEWEST_MESSAGES = 2;
const PAST_THE_END = 2_147_483_647;

/**
 * A part of a transcript: the newest `limit` messages before the position `before`, or everything from the position
 * `from` on.
 */
export type TranscriptWindow = { readonly limit: number; readonly before?: number } | { readonly from: number };

export interface LoadedTranscript {
  readonly rows: readonly TranscriptRow[];
  /** The position of the first message; null if there are no earlier messages. */
  readonly earlierCursor: string | null;
  /** Null for a thread without branches. */
  readonly facts: BranchSummary | null;
}

/** The messages of the branch that is shown, or of all. */
export type ShownBranches = "chosen" | "all";

/** Messages of the branch shown in the owner's thread, or of all branches with `branches: "all"`; oldest first. */
export async function loadTranscript(
  database: Database,
  { id: threadId, ownerId }: Pick<ThreadRow, "id" | "ownerId">,
  window: TranscriptWindow,
  branches: ShownBranches = "chosen",
): Promise<LoadedTranscript> {
  const { isBranched, leafRunId: leaf } = await selectThreadEnd(database, threadId);
  const path = { threadId, isBranched: isBranched && branches === "chosen", leaf };
  const before = "from" in window ? PAST_THE_END : (window.before ?? PAST_THE_END);
  const { from, hasEarlier } =
    "from" in window
      ? await startingAt(database, path, window.from)
      : await newestBefore(database, path, before, window.limit);
  const rows = await selectTranscript(database, path, { ownerId, from, before });
  const facts = isBranched ? await loadBranchSummary(database, threadId) : null;
  return { rows, earlierCursor: hasEarlier ? String(from) : null, facts };
}

type Path = Parameters<typeof selectTranscriptSizes>[1];

async function startingAt(database: Database, path: Path, from: number) {
  const earlier = await selectTranscriptSizes(database, path, { before: from, limit: 1 });
  return { from, hasEarlier: earlier.length > 0 };
}

async function newestBefore(database: Database, path: Path, before: number, limit: number) {
  const rows = await selectTranscriptSizes(database, path, { before, limit: limit + 1 });
  let characters = 0;
  const tooMuch = rows.findIndex((row, index) => {
    characters += row.characters;
    return index >= FEWEST_MESSAGES && characters > MOST_CHARACTERS;
  });
  const taken = Math.min(limit, tooMuch === -1 ? rows.length : tooMuch);
  return { from: rows[taken - 1]?.position ?? 0, hasEarlier: rows.length > taken };
}

/** The root runs of the thread with these ids, oldest first. */
export async function findThreadRuns(
  database: Database,
  threadId: string,
  runIds: readonly string[],
): Promise<ThreadRun[]> {
  return database.run.findMany({
    where: { threadId, parentRunId: null, id: { in: [...new Set(runIds)] } },
    orderBy: [{ position: "asc" }, { id: "asc" }],
    include: { agentVersion: { select: { number: true } } },
  });
}

/** Messages of a thread that someone reads. */
interface ReadMessages {
  readonly rows: readonly TranscriptRow[];
  readonly runs: readonly ThreadRun[];
  /** Null for a thread without branches. */
  readonly facts?: BranchSummary | null;
  /** Set for a thread with several authors: who reads. */
  readonly viewerId?: string | null;
}

/** Rows as returned by the API, each with the facts known about its run. */
export async function toTranscriptMessages(
  database: Database,
  { rows, runs, facts = null, viewerId = null }: ReadMessages,
): Promise<TranscriptMessage[]> {
  const others = viewerId === null ? [] : runs.flatMap(({ ownerId }) => (ownerId === viewerId ? [] : [ownerId]));
  const [traces, gone, names, agents, authors] = await Promise.all([
    findTraces(
      database,
      runs.map(({ traceId }) => traceId),
    ),
    runsWithoutJournal(database, runs),
    userNames(
      database,
      runs.map(({ cancelledBy }) => cancelledBy),
    ),
    agentNames(
      database,
      runs.map(({ agentId }) => agentId),
    ),
    userNames(database, others),
  ]);
  const metadata = new Map(
    runs.map((run) => {
      const journal = gone.has(run.id) ? { journal: "gone" as const } : {};
      const agentName = agents.get(run.agentId) ?? run.agentId;
      const facts = { ...metadataOf(run, traces.get(run.traceId)), agentName, ...journal, ...stopOf(run, names) };
      return [
        run.id,
        viewerId === null || run.ownerId === viewerId ? facts : byAnother(facts, authors.get(run.ownerId)),
      ];
    }),
  );
  const sentAtMs = new Map(runs.map((run) => [run.id, run.createdAt.getTime()]));
  const messages = readEach(rows, "message", ({ id, runId, role, parts }) => {
    const known = metadata.get(runId);
    const place = facts?.ofMessage(id);
    const edited = role === "user" && (place?.index ?? 0) > 0 ? { editedAtMs: sentAtMs.get(runId) } : {};
    return {
      ...TranscriptMessage.parse({ id, role, parts: JSON.parse(parts) }),
      ...(known ? { metadata: { ...known, ...place, ...edited } } : {}),
    };
  });
  return withLiveCards(
    database,
    messages,
    runs.map(({ id }) => id),
  );
}

/** Only the person who started a run gets its trace, Continue and Retry. */
function byAnother({ traceId: _, ...facts }: MessageMetadata, author = "A former member"): MessageMetadata {
  return { ...facts, author };
}

/** Unfinished ended runs that can't be continued because their events are gone. */
async function runsWithoutJournal(database: Database, runs: readonly ThreadRun[]): Promise<Set<string>> {
  const unfinished = runs.filter(endedUnfinished).map(({ id }) => id);
  const recorded = new Set(await selectRunsWithEvents(database, unfinished));
  return new Set(unfinished.filter((id) => !recorded.has(id)));
}

/** What a trace knows of its run. */
interface TracePart {
  /** The `provider:model` that answered. */
  readonly model: string | null;
  readonly waitedMs: number;
}

const NO_TRACE: TracePart = { model: null, waitedMs: 0 };

async function findTraces(database: Database, traceIds: string[]): Promise<Map<string, TracePart>> {
  const traces = await database.trace.findMany({
    where: { id: { in: traceIds } },
    select: { id: true, model: true, waitedMs: true },
  });
  return new Map(traces.map(({ id, ...facts }) => [id, facts]));
}

function stopOf({ status, cancelledBy }: ThreadRun, names: ReadonlyMap<string, string>): Partial<MessageMetadata> {
  if (status !== "cancelled" || cancelledBy === null) return {};
  const name = names.get(cancelledBy);
  return { stoppedBy: { id: cancelledBy, ...(name === undefined ? {} : { name }) } };
}

/** Without the call for the thread's title, which is part of the run. */
function spentOnReply(row: ThreadRun): Spending {
  if (row.spentUntitled !== null) return Spending.parse(JSON.parse(row.spentUntitled));
  return { usage: usageOfRow(row), costUsd: row.costUsd };
}

function metadataOf(row: ThreadRun, { model, waitedMs }: TracePart = NO_TRACE): MessageMetadata {
  const run: Run = toRun(row);
  const draftRevision = draftRevisionOf(row);
  const spent = spentOnReply(row);
  return {
    runId: run.id,
    ...(draftRevision === null ? {} : { draftRevision }),
    ...(run.traceId === null ? {} : { traceId: run.traceId }),
    agentId: run.agentId,
    agentVersion: run.version,
    status: run.status,
    steps: run.steps,
    usage: showUsage(spent.usage),
    costUsd: spent.costUsd,
    ...(model ? { model } : {}),
    ...(row.effort === null ? {} : { effort: Effort.parse(row.effort) }),
    ...(row.startedAt ? { startedAtMs: row.startedAt.getTime() } : {}),
    ...(row.endedAt ? { endedAtMs: row.endedAt.getTime() } : {}),
    ...(row.endedAt && waitedMs > 0 ? { waitedMs } : {}),
  };
}
