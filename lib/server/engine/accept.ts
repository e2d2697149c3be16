import { isDeepStrictEqual } from "node:util";
import { cleanText } from "@/lib/agent/messages/clean-text";
import { AppError } from "@/lib/schema/app-error";
import { OPEN_STATUSES, type RunOriginKind, type RunStatus } from "@/lib/schema/runs/run";
import { waitsForPeople } from "@/lib/server/engine/children/run-tree";
import { dispatchStatements } from "@/lib/server/engine/dispatch/dispatcher-of";
import { cancelChildren, cancelOpenRuns, endUnclaimedRun } from "@/lib/server/engine/ending/cancel";
import { announceQueued, announceToUser, isShuttingDown } from "@/lib/server/engine/log/signals";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { requireDatabaseFile } from "@/lib/server/platform/db/database-file";
import { type AgentAccess, accessOfOwner } from "@/lib/server/platform/db/queries/agent-access";
import {
  insertTranscriptMessageStatement,
  selectLastTranscriptPosition,
} from "@/lib/server/platform/db/queries/messages";
import { isOnPath, selectThreadEnd, type ThreadEnd } from "@/lib/server/platform/db/queries/paths";
import {
  areQueued,
  insertRunStatement,
  selectOpenInputs,
  selectWaitingRuns,
} from "@/lib/server/platform/db/queries/runs";
import { touchThreadStatement } from "@/lib/server/platform/db/queries/threads";
import { env } from "@/lib/server/platform/env";
import type { InputFinding } from "@/lib/text/scan/scan-input";
import { type AgentVersion, loadAgentVersion, loadCurrentVersion } from "./agent-version";
import { type Continuation, type ContinuationPlan, planContinuation } from "./continue-run";
import { guardInput, logFinding } from "./guard-input";
import { normalizeMessages, RunInput, type SentInput } from "./run-input";
import { NO_TRACE, shownTraceId } from "./trace-id";

/** A message for a thread, or (`continues`) the request to continue or retry an ended run. Owner and thread are checked. */
export interface RunRequest {
  readonly ownerId: string;
  readonly threadId: string;
  readonly agentId: string;
  /** Of the caller; by default what the owner can reach. */
  readonly access?: AgentAccess;
  /** In order; empty only with `continues`. */
  readonly messages: readonly SentInput[];
  /** The agent's current version if not given. */
  readonly versionId?: string;
  /** The revision of the draft that the version is, for a run of a test thread. */
  readonly draftRevision?: number;
  readonly modelOverride?: string;
  readonly idempotencyKey?: string;
  /** The API key that starts it. */
  readonly apiKeyId?: string;
  readonly continues?: Continuation;
  /** What starts it; by default a person: with an API key `api`, else `chat`. */
  readonly origin?: RunOriginKind;
  /** False where no person has just asked for it. */
  readonly attended?: false;
  /** False where no person can answer a question or approve a call (`/v1`). */
  readonly canAsk?: boolean;
  /** True: the model reads neither the thread's earlier messages nor its summary in this run. */
  readonly noHistory?: boolean;
  /** In place of the agent's `default_response`. */
  readonly defaultResponse?: string;
  /** False: the thread is not compacted after the run. */
  readonly compact?: false;
  /** False: no trace of the run is kept. */
  readonly trace?: boolean;
  /** The run begins a branch. Default: it follows the last run of the branch that the thread shows. */
  readonly branch?: Branch;
}

/** Where a new branch begins (D-88). */
interface Branch {
  /** The run that its first run follows; null for a new beginning of the thread. */
  readonly afterRunId: string | null;
  /** The first run that answered the message which this one answers again. */
  readonly regeneratesRunId?: string;
}

export interface AcceptedRun {
  readonly runId: string;
  /** Null where no trace is kept. */
  readonly traceId: string | null;
  readonly status: RunStatus;
  /** The transcript id of the (last) user message; the assistant's for a continuation that adds none. */
  readonly messageId: string;
  readonly assistantMessageId: string;
}

/**
 * Stores the messages and the run in one transaction that is on disk when this resolves; the host then runs it. The
 * same idempotency key returns the same run. One run at a time per thread: the agent's `threads.on_busy` decides what
 * happens to the second (D-32). Throws `busy`, `conflict` (the key was another message's), `unavailable` (shutting
 * down), `invalid_input`, `input_blocked` (D-61), `not_found`.
 */
export async function startRun(database: Database, request: RunRequest): Promise<AcceptedRun> {
  if (isShuttingDown()) throw new AppError("unavailable", "The server is restarting. Try again in a moment.");
  await requireDatabaseFile(database);
  const accepted = await database.exclusive(`thread ${request.threadId}`, async () => {
    const known = await findByIdempotencyKey(database, request);
    if (known) return known;
    await requireRoom(database, env().maxQueued);
    const end = await selectThreadEnd(database, request.threadId);
    const plan = request.continues ? await planContinuation(database, request.threadId, request.continues, end) : null;
    const version = await versionFor(database, request, plan);
    const guarded = { ownerId: request.ownerId, version, messages: request.messages };
    const finding = await guardInput(database, guarded);
    const messages = normalizeMessages(request.messages, version.config);
    await makeRoom(database, request, version, placeOf(request, end));
    const sent = plan ? { ...request, ...plan.settings } : request;
    const stored = await store(database, sent, version, { messages: plan?.messages ?? messages, finding, end });
    if (finding) logFinding(guarded, stored.runId, finding);
    return stored;
  });
  const { runId, status } = accepted;
  announceQueued({ runId, ownerId: request.ownerId });
  announceToUser(request.ownerId, { type: "run.changed", threadId: request.threadId, runId, status });
  return accepted;
}

/** Throws `unavailable` when so many runs wait that another one would wait for too long. */
async function requireRoom(database: Database, maxQueued: number): Promise<void> {
  if (!(await areQueued(database, maxQueued))) return;
  const message = "Too many runs are waiting to be executed. Nothing was stored; try again in a minute.";
  throw new AppError("unavailable", message, { details: { retryAfterSeconds: 60 } });
}

async function findByIdempotencyKey(database: Database, request: RunRequest): Promise<AcceptedRun | null> {
  const { threadId, idempotencyKey } = request;
  if (idempotencyKey === undefined) return null;
  const run = await database.run.findUnique({ where: { threadId_idempotencyKey: { threadId, idempotencyKey } } });
  if (!run) return null;
  if (!isSamePost(run, request)) throw new AppError("conflict", KEY_IN_USE);
  const user = await database.transcriptMessage.findFirst({
    where: { runId: run.id, role: "user" },
    orderBy: { position: "desc" },
    select: { id: true },
  });
  return {
    runId: run.id,
    traceId: shownTraceId(run.traceId),
    status: run.status as RunStatus,
    messageId: user?.id ?? run.assistantMessageId,
    assistantMessageId: run.assistantMessageId,
  };
}

const KEY_IN_USE =
  "This Idempotency-Key was already used in this thread for another message. Send this one with a key of its own.";

/** Continue uses the version named or current, Retry that of the failed run. Throws `not_found` for a deleted agent. */
async function versionFor(
  database: Database,
  { agentId, ownerId, access = accessOfOwner(ownerId), versionId: named }: RunRequest,
  plan: ContinuationPlan | null,
): Promise<AgentVersion> {
  const current = await loadCurrentVersion(database, agentId, access);
  const versionId = plan?.versionId ?? named;
  return versionId === undefined ? current : loadAgentVersion(database, versionId);
}

/** A key may repeat only its original request: anything else would be acknowledged and lost. */
function isSamePost(run: { readonly input: string; readonly continuesRunId: string | null }, request: RunRequest) {
  const { continues } = request;
  const { messages, isRetry = false } = RunInput.parse(JSON.parse(run.input));
  if (run.continuesRunId !== (continues?.runId ?? null)) return false;
  if (continues) return isRetry === (continues.how === "retry");
  const sent = request.messages.map(({ role, content }) => ({ role, content: cleanText(content) }));
  return isDeepStrictEqual(
    messages.map(({ role, content }) => ({ role, content })),
    sent,
  );
}

/** The run that the new one follows, and whether the thread then has branches. */
interface Place {
  readonly afterRunId: string | null;
  readonly isBranched: boolean;
}

function placeOf({ branch }: RunRequest, { leafRunId, isBranched }: ThreadEnd): Place {
  return branch ? { afterRunId: branch.afterRunId, isBranched: true } : { afterRunId: leafRunId, isBranched };
}

async function makeRoom(database: Database, request: RunRequest, version: AgentVersion, place: Place): Promise<void> {
  await declineWaiting(database, request, place);
  const { on_busy: onBusy } = version.config.threads;
  if (onBusy === "queue") return;
  const open = await database.run.findFirst({
    where: { threadId: request.threadId, status: { in: [...OPEN_STATUSES] } },
    select: { id: true },
  });
  if (!open) return;
  if (onBusy === "reject") {
    throw new AppError("busy", "This thread has a run that has not ended yet. Wait until it has, or stop it.");
  }
  await cancelOpenRuns(database, { threadId: request.threadId }, request.ownerId);
}

/**
 * A new message instead of a decision ends what waits before it (D-53), whatever `on_busy` says: nothing is running
 * there. What waits on another branch goes on waiting, and the message queues behind it (D-88).
 */
async function declineWaiting(
  database: Database,
  { threadId, ownerId, continues }: RunRequest,
  { afterRunId, isBranched }: Place,
): Promise<void> {
  if (continues) return;
  for (const run of await selectWaitingRuns(database, threadId)) {
    if (isBranched && !(await isOnPath(database, run.id, afterRunId))) continue;
    if (!waitsForPeople(run) && !(await hasAskingChild(database, run.id))) continue;
    await endUnclaimedRun(database, run.id, { kind: "undecided", by: ownerId, why: "new-message" });
    await cancelChildren(database, run.id, ownerId);
  }
}

/** Whether a subagent of the run, at any depth, waits for a person. */
async function hasAskingChild(database: Database, rootRunId: string): Promise<boolean> {
  return (await database.run.count({ where: { rootRunId, status: "waiting", OR: ASKS_A_PERSON } })) > 0;
}

const ASKS_A_PERSON = ["approval", "question", "budget", "connect"].map((kind) => ({ waitingFor: { contains: kind } }));

interface Accepted {
  readonly messages: RunInput["messages"];
  readonly finding: InputFinding | null;
  readonly end: ThreadEnd;
}

async function store(
  database: Database,
  request: RunRequest,
  version: AgentVersion,
  { messages, finding, end }: Accepted,
): Promise<AcceptedRun> {
  const { threadId, ownerId, agentId } = request;
  const { afterRunId, isBranched } = placeOf(request, end);
  const runId = createId("run");
  const traceId = request.trace === false ? NO_TRACE : createId("tr");
  const assistantMessageId = createId("msg");
  const shown = messages.filter(({ role }) => role === "user");
  const first = await nextTranscriptPosition(database, threadId);
  const input: RunInput = {
    messages,
    transcriptPosition: first + shown.length,
    ...(request.canAsk === false ? { canAsk: false } : {}),
    ...(request.noHistory ? { noHistory: true } : {}),
    ...(request.defaultResponse === undefined ? {} : { defaultResponse: request.defaultResponse }),
    ...(request.compact === false ? { compact: false } : {}),
    ...(request.continues?.how === "retry" ? { isRetry: true } : {}),
    ...(request.draftRevision === undefined ? {} : { draftRevision: request.draftRevision }),
    ...(finding ? { finding } : {}),
  };
  const now = new Date();
  await database.rawTransaction([
    ...shown.map(({ content, id }, index) =>
      insertTranscriptMessageStatement({
        id: id ?? createId("msg"),
        threadId,
        runId,
        position: first + index,
        role: "user",
        parts: JSON.stringify([{ type: "text", text: content }]),
        text: content,
        createdAt: now,
      }),
    ),
    insertRunStatement({
      id: runId,
      threadId,
      ownerId,
      agentId,
      agentVersionId: version.id,
      traceId,
      costUsd: 0,
      assistantMessageId,
      input: JSON.stringify(input),
      origin: request.origin ?? (request.apiKeyId === undefined ? "chat" : "api"),
      attended: request.attended ?? true,
      continuesRunId: request.continues?.runId ?? null,
      modelOverride: request.modelOverride ?? null,
      apiKeyId: request.apiKeyId ?? null,
      idempotencyKey: request.idempotencyKey ?? null,
      position: end.position,
      afterRunId,
      regeneratesRunId: request.branch?.regeneratesRunId ?? null,
      createdAt: now,
    }),
    touchThreadStatement(threadId, {
      title: titleOf(shown.at(0)?.content ?? ""),
      updatedAt: now,
      leafRunId: runId,
      isBranched,
    }),
    ...(await dispatchStatements(database, { id: runId, ownerId, segment: 0 })),
  ]);
  return {
    runId,
    traceId: shownTraceId(traceId),
    status: "queued",
    messageId: shown.at(-1)?.id ?? assistantMessageId,
    assistantMessageId,
  };
}

/** The next free place of the thread's transcript, after the places that open runs reserve for their replies. */
async function nextTranscriptPosition(database: Database, threadId: string): Promise<number> {
  const open = await selectOpenInputs(database, threadId);
  // Read after the open runs, so that one that ends in between counts here.
  const last = await selectLastTranscriptPosition(database, threadId);
  const kept = open.map((input) => RunInput.parse(JSON.parse(input)).transcriptPosition);
  return Math.max(last, ...kept) + 1;
}

/** A title without a model call (D-49): the first line, cut at a word. */
function titleOf(text: string): string | null {
  const line = text.trim().split("\n")[0]?.replaceAll(/\s+/g, " ").trim() ?? "";
  if (line.length <= 80) return line === "" ? null : line;
  const cut = line.slice(0, 80);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), 40))}…`;
}
