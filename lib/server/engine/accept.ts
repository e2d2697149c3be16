import type { Effort } from "@/lib/schema/agents/choices";
import type { ResponseRequest } from "@/lib/schema/apis/responses";
import { AppError } from "@/lib/schema/app-error";
import { refuseLargeTexts } from "@/lib/schema/messages/text-limits";
import type { OriginDetails, RunOriginKind } from "@/lib/schema/runs/run";
import { dispatchStatements } from "@/lib/server/engine/dispatch/dispatcher-of";
import { makeRoom, type Place, requireRoom } from "@/lib/server/engine/ending/make-room";
import { announceQueued, announceSteer, announceToUser, isShuttingDown } from "@/lib/server/engine/log/signals";
import {
  type AcceptedRun,
  findRepeated,
  type StoredMessage,
  steerMessageId,
  steerReply,
} from "@/lib/server/engine/queue/find-repeated";
import { steerPlace } from "@/lib/server/engine/queue/queue-order";
import { sentStatements } from "@/lib/server/engine/queue/sent-statements";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { requireDatabaseFile } from "@/lib/server/platform/db/database-file";
import { isNothingChanged } from "@/lib/server/platform/db/errors";
import { type AgentAccess, accessOfOwner, selectReachable } from "@/lib/server/platform/db/queries/agent-access";
import {
  countSteerStatement,
  hasOpenRun,
  type SteerableRun,
  selectSteerable,
} from "@/lib/server/platform/db/queries/dispatch/queued-runs";
import { selectLastTranscriptPosition } from "@/lib/server/platform/db/queries/messages";
import { isOnPath, selectThreadEnd, type ThreadEnd } from "@/lib/server/platform/db/queries/paths";
import { insertRunStatement } from "@/lib/server/platform/db/queries/runs";
import { touchThreadStatement } from "@/lib/server/platform/db/queries/threads";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";
import { env } from "@/lib/server/platform/env";
import { requestContext } from "@/lib/server/platform/request-context";
import { atOnce, retry } from "@/lib/server/platform/retry";
import type { InputFinding } from "@/lib/text/scan/scan-input";
import { type AgentVersion, loadAgentVersion, loadCurrentVersion } from "./agent-version";
import { type Continuation, type ContinuationPlan, planContinuation } from "./continue-run";
import { guardInput, logFinding } from "./guard-input";
import { requireProjectWriter } from "./project-writer";
import { type BoardTurn, normalizeMessages, type RunInput, type SentInput, type TriggerRules } from "./run-input";
import { NO_TRACE, shownTraceId } from "./trace-id";

/**
 * A message for a thread, or (`continues`) a request to continue or retry an ended run. Owner and thread are already
 * checked.
 */
export interface RunRequest {
  readonly ownerId: string;
  readonly threadId: string;
  readonly agentId: string;
  /** The caller's; by default what the owner can reach. */
  readonly access?: AgentAccess;
  /** In order; empty only with `continues`. */
  readonly messages: readonly SentInput[];
  /** Default: the agent's current version. */
  readonly versionId?: string;
  /** The draft revision that the version was made from, for a run of a test thread. */
  readonly draftRevision?: number;
  readonly modelOverride?: string;
  readonly effort?: Effort;
  readonly idempotencyKey?: string;
  /** The API key that starts the run. */
  readonly apiKeyId?: string;
  readonly continues?: Continuation;
  /** Default for a run started by a person: `api` with an API key, otherwise `chat`. */
  readonly origin?: RunOriginKind;
  /** False if no person has just asked for the run. */
  readonly attended?: false;
  /**
   * The trigger that started the run automatically: its message queues behind everything in the thread and declines
   * nothing.
   */
  readonly trigger?: TriggerStart;
  /** A person wrote the message for this thread: when somebody stops the thread, it is held rather than sent (D-96). */
  readonly fromPerson?: boolean;
  /** The message is stored as held: whoever wrote it sends it later (D-96). */
  readonly isHeld?: boolean;
  /** Statements of the transaction that stores the run; if one of them must change a row and can't, nothing is stored. */
  readonly recordedWith?: (runId: string) => readonly SqlStatement[];
  /** The board turn that the run takes, if the thread belongs to a board. */
  readonly turn?: Omit<BoardTurn, "id">;
  /** Steers the active run at its next model call (D-89); with no active run, an ordinary message. */
  readonly steers?: boolean;
  /** False if no person can answer a question or approve a call (`/v1`). */
  readonly canAsk?: boolean;
  /** True: in this run the model reads neither the thread's earlier messages nor its summary. */
  readonly noHistory?: boolean;
  /** Replaces the agent's `default_response`. */
  readonly defaultResponse?: string;
  /** The ids that a client gave to the messages, by which it repeats them. */
  readonly clientIds?: readonly string[];
  /** The request of the response that the run answers. */
  readonly response?: ResponseRequest;
  /** The run answers a person in a chat thread, so the agent may hand the conversation over. */
  readonly canHandOff?: boolean;
  /** False: the thread is not compacted after the run. */
  readonly compact?: false;
  /** False: the run's trace is not kept. */
  readonly trace?: boolean;
  /** The replay that the run belongs to, whose thread is its own. */
  readonly replay?: { readonly id: string; readonly runId: string; readonly fromStep: number };
  /** The branch that the run begins. Default: the run follows the last run of the branch that the thread shows. */
  readonly branch?: Branch;
}

/** A firing of a trigger, and what its run may do unattended. */
interface TriggerStart {
  readonly details: OriginDetails;
  readonly rules?: TriggerRules;
}

/** Where a new branch begins (D-88). */
interface Branch {
  /** The run that the branch's first run follows; null to start the thread over. */
  readonly afterRunId: string | null;
  /** The first run that answered the message being answered again. */
  readonly regeneratesRunId?: string;
}

/**
 * Stores the messages and the run in one transaction that is on disk when this resolves; the host then executes the
 * run. The same idempotency key returns the same run. One run at a time per thread: the agent's `threads.on_busy`
 * decides what happens to the second (D-32). Throws `busy`, `conflict` (the key belongs to another message),
 * `unavailable` (shutting down), `invalid_input`, `payload_too_large`, `input_blocked` (D-61), `not_found`.
 */
export async function startRun(database: Database, request: RunRequest): Promise<AcceptedRun> {
  if (isShuttingDown()) throw new AppError("unavailable", "The server is restarting. Try again in a moment.");
  refuseLargeTexts(request.messages.map(({ content }) => content));
  await requireDatabaseFile(database);
  const { members = [], ...accepted } = await database.exclusive(`thread ${request.threadId}`, () =>
    retry(() => accept(database, request), { when: isNothingChanged, delays: atOnce(MAX_RETRIES) }),
  );
  const { runId, status, steered, queuedRunId } = accepted;
  announceQueued({ runId: queuedRunId, ownerId: request.ownerId });
  for (const userId of new Set([request.ownerId, ...members])) {
    announceToUser(userId, { type: "run.changed", threadId: request.threadId, runId, status });
  }
  if (steered) announceSteer(runId);
  return accepted;
}

const MAX_RETRIES = 4;

/** Throws NothingChanged if the queue has moved since it was read. */
async function accept(database: Database, request: RunRequest): Promise<StoredMessage> {
  const known = await findRepeated(database, request);
  if (known) return known;
  await requireRoom(database);
  const end = await selectThreadEnd(database, request.threadId);
  if (end.projectId !== null) await requireProjectWriter(database, end.projectId, request.ownerId);
  const plan = request.continues ? await planContinuation(database, request.threadId, request.continues, end) : null;
  const version = await versionFor(database, request, plan);
  const guarded = { ownerId: request.ownerId, version, messages: [...instructionsOf(request), ...request.messages] };
  const finding = await guardInput(database, guarded);
  const messages = normalizeMessages(request.messages, version.config);
  const steered = request.steers ? await findSteerable(database, request, end) : null;
  // A held message is not sent yet: it displaces nothing.
  if (!steered && !request.isHeld) await makeRoom(database, request, version, placeOf(request, end));
  const sent = plan ? { ...request, ...plan.settings, ...chosenOf(request) } : request;
  const stored = await store(database, sent, { version, messages: plan?.messages ?? messages, finding, end, steered });
  if (finding) logFinding(guarded, stored.runId, finding);
  if (end.projectId === null) return stored;
  const members = await database.projectMember.findMany({
    where: { projectId: end.projectId },
    select: { userId: true },
  });
  return { ...stored, members: members.map(({ userId }) => userId) };
}

function instructionsOf({ response }: RunRequest): readonly SentInput[] {
  return response?.instructions ? [{ role: "system", content: response.instructions }] : [];
}

/** What a person chose for this run rather than for the run that it continues. */
function chosenOf({ modelOverride, effort }: RunRequest): Pick<RunRequest, "modelOverride" | "effort"> {
  return { ...(modelOverride === undefined ? {} : { modelOverride }), ...(effort === undefined ? {} : { effort }) };
}

/**
 * The active run of the branch that the thread shows. Another member's run is not steered, because it runs with their
 * rights.
 */
async function findSteerable(
  database: Database,
  { threadId, ownerId }: RunRequest,
  end: ThreadEnd,
): Promise<SteerableRun | null> {
  const run = await selectSteerable(database, threadId);
  if (run?.ownerId !== ownerId) return null;
  if (!end.isBranched) return run;
  return (await isOnPath(database, run.id, end.leafRunId)) ? run : null;
}

/**
 * Continue uses the named version, or the current one; Retry that of the failed run. Throws `not_found` for a deleted
 * agent.
 */
async function versionFor(
  database: Database,
  { agentId, ownerId, access = accessOfOwner(ownerId), versionId: named }: RunRequest,
  plan: ContinuationPlan | null,
): Promise<AgentVersion> {
  const versionId = plan?.versionId ?? named;
  if (versionId === undefined) return loadCurrentVersion(database, agentId, access);
  // A draft runs in test threads before any version is published.
  const [agent] = await selectReachable(database, [agentId], access);
  if (!agent) throw new AppError("not_found", `There is no agent "${agentId}".`);
  return loadAgentVersion(database, versionId);
}

function placeOf({ branch }: RunRequest, { leafRunId, isBranched }: ThreadEnd): Place {
  if (!branch) return { afterRunId: leafRunId, isBranched };
  // One that goes on where the thread ends divides nothing.
  return { afterRunId: branch.afterRunId, isBranched: isBranched || branch.afterRunId !== leafRunId };
}

interface Accepted {
  readonly version: AgentVersion;
  readonly messages: RunInput["messages"];
  readonly finding: InputFinding | null;
  readonly end: ThreadEnd;
  /** The run that reads the messages. */
  readonly steered: SteerableRun | null;
}

interface NewInput extends Pick<Accepted, "messages" | "finding" | "version" | "end"> {
  /** The first message's position in the transcript; null behind another run. */
  readonly first: number | null;
  readonly shown: number;
}

/** Findings in a queued message are recorded when its run starts, because the message may be edited until then. */
function inputOf(request: RunRequest, { version, messages, first, shown, finding, end }: NewInput): RunInput {
  const { boardId } = end;
  const canHandOff = request.canHandOff && boardId === null && version.config.delegates.length > 0;
  const traceparent = env().otlp === null ? null : (requestContext().traceparent ?? null);
  return {
    messages,
    transcriptPosition: first === null ? null : first + shown,
    ...clientsWishes(request),
    ...(request.continues?.how === "retry" ? { isRetry: true } : {}),
    ...(canHandOff ? { handoffs: 0 } : {}),
    ...(traceparent === null ? {} : { traceparent }),
    ...(request.fromPerson ? { fromPerson: true } : {}),
    ...(request.branch ? { beginsBranch: true } : {}),
    ...(request.trigger?.rules ? { trigger: request.trigger.rules } : {}),
    ...(boardId === null ? {} : { board: { id: boardId, ...request.turn } }),
    ...(request.draftRevision === undefined ? {} : { draftRevision: request.draftRevision }),
    ...(finding && first !== null ? { finding } : {}),
  };
}

/** What only clients of the APIs ask for. */
function clientsWishes({ canAsk, noHistory, defaultResponse, compact, response, clientIds }: RunRequest) {
  return {
    ...(canAsk === false ? { canAsk } : {}),
    ...(noHistory ? { noHistory } : {}),
    ...(defaultResponse === undefined ? {} : { defaultResponse }),
    ...(compact === false ? { compact } : {}),
    ...(response ? { response } : {}),
    ...(clientIds ? { clientIds: [...clientIds] } : {}),
  };
}

/** The columns that the request alone decides. */
function requestColumns(request: RunRequest) {
  const { modelOverride = null, effort = null, apiKeyId = null, idempotencyKey = null } = request;
  return {
    origin: request.origin ?? (apiKeyId === null ? "chat" : "api"),
    originDetails: request.trigger ? JSON.stringify(request.trigger.details) : null,
    attended: request.attended ?? true,
    continuesRunId: request.continues?.runId ?? null,
    ...(request.replay ? replayColumns(request.replay) : {}),
    regeneratesRunId: request.branch?.regeneratesRunId ?? null,
    ...{ modelOverride, effort, apiKeyId, idempotencyKey },
  };
}

function replayColumns({ id: replayId, runId: replayOf, fromStep }: NonNullable<RunRequest["replay"]>) {
  return { replayId, replayOf, fromStep };
}

async function store(
  database: Database,
  request: RunRequest,
  { version, messages: normalized, finding, end, steered }: Accepted,
): Promise<StoredMessage> {
  const { threadId, ownerId, agentId, idempotencyKey, isHeld = false } = request;
  const runId = createId("run");
  const traceId = request.trace === false ? NO_TRACE : createId("tr");
  const assistantMessageId = createId("msg");
  const messages =
    steered && idempotencyKey !== undefined
      ? normalized.map((message) => ({ ...message, id: steerMessageId(threadId, idempotencyKey) }))
      : normalized;
  const shown = messages.filter(({ role }) => role === "user");
  // Behind another run, or while it is held, the message only has a place in the queue (D-89).
  const first =
    isHeld || (await hasOpenRun(database, threadId))
      ? null
      : (await selectLastTranscriptPosition(database, threadId)) + 1;
  const input = inputOf(request, { version, messages, first, shown: shown.length, finding, end });
  const now = new Date();
  const { afterRunId, isBranched } = placeOf(request, end);
  const { position, leafRunId } = end;
  const ahead = steered
    ? await steerPlace(database, threadId, { runId, target: steered.id, last: position, leafRunId })
    : { position, afterRunId, leafRunId: isHeld ? leafRunId : runId, statements: [] };
  await database.runAll([
    ...(steered ? [countSteerStatement(steered.id, 1)] : []),
    ...ahead.statements,
    ...(first === null ? [] : sentStatements(messages, { threadId, runId, position: first, createdAt: now })),
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
      ...requestColumns(request),
      position: ahead.position,
      afterRunId: ahead.afterRunId,
      createdAt: now,
      projectId: end.projectId,
      fileScope: end.fileScope,
      ...(steered ? { steersRunId: steered.id } : {}),
      ...(isHeld ? { heldAt: now } : {}),
    }),
    touchThreadStatement(threadId, {
      title: titleOf(shown.at(0)?.content ?? ""),
      updatedAt: now,
      leafRunId: ahead.leafRunId,
      isBranched,
    }),
    ...(request.recordedWith?.(runId) ?? []),
    ...(isHeld ? [] : await dispatchStatements(database, { id: runId, ownerId, segment: 0 })),
  ]);
  const messageId = shown.at(-1)?.id ?? assistantMessageId;
  if (steered) return steerReply(steered, messageId, runId);
  return {
    runId,
    queuedRunId: runId,
    steered: false,
    traceId: shownTraceId(traceId),
    status: "queued",
    messageId,
    assistantMessageId,
  };
}

/** A title without a model call (D-49): the first line, cut at a word boundary. */
export function titleOf(text: string): string | null {
  const line = text.trim().split("\n")[0]?.replaceAll(/\s+/g, " ").trim() ?? "";
  if (line.length <= 80) return line === "" ? null : line;
  const cut = line.slice(0, 80);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), 40))}…`;
}
