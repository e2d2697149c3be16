import { findOpenStep, foldJournal } from "@/lib/agent/journal";
import type { RetriedCall } from "@/lib/agent/run-session";
import { Effort } from "@/lib/schema/agents/choices";
import type { ResponseRequest } from "@/lib/schema/apis/responses";
import { AppError } from "@/lib/schema/app-error";
import type { Message } from "@/lib/schema/messages/message";
import { endedUnfinished, hasEnded, type RunStatus } from "@/lib/schema/runs/run";
import type { RunEvent } from "@/lib/schema/runs/run-event";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { selectLastMessage } from "@/lib/server/platform/db/queries/messages";
import { selectKnownPath, type ThreadEnd, type ThreadPath } from "@/lib/server/platform/db/queries/paths";
import { selectRunsWithEvents } from "@/lib/server/platform/db/queries/run-events";
import { readAllEvents } from "./log/read-events";
import type { TracePort } from "./ports";
import { draftRevisionOf, responseRequestOf } from "./run-input";
import { NO_TRACE } from "./trace-id";

/** Continue resumes from what the run has done; Retry repeats its failed step (D-85). */
export interface Continuation {
  readonly runId: string;
  readonly how: "continue" | "retry";
}

/** The inputs of the run that continues another one. */
export interface ContinuationPlan {
  /** Null for the agent's current version. */
  readonly versionId: string | null;
  /** Messages that the continuation adds to the conversation, visible like any other. */
  readonly messages: Message[];
  /** The choices made for the ended run. */
  readonly settings: {
    readonly modelOverride?: string;
    readonly effort?: Effort;
    readonly trace?: false;
    readonly draftRevision?: number;
    readonly response?: ResponseRequest;
  };
}

const GONE = {
  continue: "The steps of this run are no longer recorded, so it cannot be continued. Send a message instead.",
  retry: "The steps of this run are no longer recorded, so it cannot be retried. Send your message again instead.",
} as const;

/**
 * Checks that the run can be continued or retried: it is the last of the thread's branch, has ended unfinished, and its
 * steps are still recorded. Throws `conflict` with what to do instead.
 */
export async function planContinuation(
  database: Database,
  threadId: string,
  { runId, how }: Continuation,
  end: ThreadEnd,
): Promise<ContinuationPlan> {
  const latest = await database.run.findFirst({ where: { id: end.leafRunId ?? "", threadId, parentRunId: null } });
  if (latest?.id !== runId) throw conflict("The thread has a later run than this one. Send a message instead.");
  if (latest.replayId !== null) throw conflict("This is a replay. Replay the run again instead.");
  if (!hasEnded(latest.status as RunStatus)) {
    throw conflict("This run has not ended. Wait until it has, or stop it first.");
  }
  if (!endedUnfinished(latest)) throw conflict("This run has finished what it was asked. Send a message instead.");
  if ((await selectRunsWithEvents(database, [runId])).length === 0) throw conflict(GONE[how]);
  const last = await lastMessage(database, { threadId, leaf: runId });
  const response = responseRequestOf(latest);
  const settings = {
    ...(latest.modelOverride === null ? {} : { modelOverride: latest.modelOverride }),
    ...(latest.effort === null ? {} : { effort: Effort.parse(latest.effort) }),
    ...(latest.traceId === NO_TRACE ? { trace: false as const } : {}),
    ...(response === null ? {} : { response }),
  };
  if (how === "continue") return { versionId: null, messages: wordsToContinue(last), settings };
  const wasAnswered = latest.status === "completed" && last.role === "assistant";
  if (latest.status === "limit" || wasAnswered) {
    throw conflict("No step of this run failed, so there is none to retry. Continue it instead.");
  }
  const draftRevision = draftRevisionOf(latest);
  const tested = draftRevision === null ? {} : { draftRevision };
  return { versionId: latest.agentVersionId, messages: [], settings: { ...settings, ...tested } };
}

async function lastMessage(database: Database, path: ThreadPath) {
  const known = await selectKnownPath(database, path);
  const last = await selectLastMessage(database, known);
  if (!last) throw conflict("There is nothing to continue in this thread. Send a message instead.");
  return { role: last.role, isSummarised: known.cutMessageId === last.id };
}

/**
 * History already contains the ended run's user message and its finished steps (D-19), so the model simply continues
 * from there. Only if it ends with the assistant's own words (a stopped or truncated reply, the pair of a summary of
 * everything) is a "Continue." added from the user, which the transcript shows like any other message.
 */
function wordsToContinue({ role, isSummarised }: { readonly role: string; readonly isSummarised: boolean }): Message[] {
  if (role !== "assistant" && !isSummarised) return [];
  return [{ id: createId("msg"), role: "user", content: "Continue." }];
}

function conflict(message: string): AppError {
  return new AppError("conflict", message);
}

/** The history of a run that repeats a stopped step: the step's partial reply is not part of the request. */
export function withoutUnfinishedReply(messages: readonly Message[]): readonly Message[] {
  return messages.at(-1)?.role === "assistant" ? messages.slice(0, -1) : messages;
}

/**
 * The model call that a Retry repeats as it was sent. Null if the run failed elsewhere (a tool, a hook): then the next
 * call continues from its finished steps.
 */
export async function loadRetriedCall(
  database: Database,
  traces: Pick<TracePort, "sentRequest">,
  { runId, model, effort }: { readonly runId: string; readonly model: string; readonly effort?: Effort | undefined },
): Promise<RetriedCall | null> {
  const events = (await readAllEvents(database, runId)).map(({ event }) => event);
  const step = unansweredStep(events);
  if (step === null) return null;
  const asked = events.findLast((event) => event.type === "model.started" && event.step === step);
  if (asked?.type === "model.started" && asked.model !== model) {
    return { request: null, reason: `the model was ${asked.model} and is ${model} now` };
  }
  const request = await traces.sentRequest(runId, step);
  return request
    ? { request: { ...request, effort } }
    : { request: null, reason: "the trace no longer holds what was sent" };
}

/** The step whose model call failed, was stopped, or returned an empty answer. */
function unansweredStep(events: readonly RunEvent[]): number | null {
  const open = findOpenStep(events);
  if (open) return open.step;
  const last = foldJournal(events).at(-1);
  return last && last.reply.content === "" && last.reply.toolCalls.length === 0 ? last.step : null;
}
