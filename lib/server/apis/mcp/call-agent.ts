import "server-only";
import type { CallToolResult, InputRequiredResult } from "@modelcontextprotocol/server";
import { InvokeBody, InvokeReply } from "@/lib/schema/apis/invoke";
import type { Interrupt } from "@/lib/schema/runs/interrupt";
import { hasEnded, type RunStatus } from "@/lib/schema/runs/run";
import type { RunEvent } from "@/lib/schema/runs/run-event";
import type { Viewer } from "@/lib/schema/users/user";
import { startInvocation, whileAttached } from "@/lib/server/apis/agents/invoke-agent";
import { invokeReply } from "@/lib/server/apis/agents/invoke-reply";
import { lastSeq } from "@/lib/server/engine/log/read-events";
import { parseInput } from "@/lib/server/http/reply";
import type { Database } from "@/lib/server/platform/db/database";
import type { Services } from "@/lib/server/platform/services";
import { followRun } from "@/lib/server/views/follow-run";
import type { ProjectedRun } from "@/lib/server/views/project-agents-api";
import { answerAsks, decideAsk, openAsksOf } from "./answer-ask";
import { denied, formOfAsk, keyOfAsk, NO_ELICITATION } from "./ask-form";

/**
 * How a client asks its person. `none`: it can't, so asks are denied. `retry`: the call ends with the asks, and is sent
 * again with the replies (2026-07-28). `push`: the asks go out while the call is open, and replies arrive as messages
 * of their own (before).
 */
export type AskWay =
  | { readonly kind: "none" | "retry" }
  | { readonly kind: "push"; readonly send: (runId: string, ask: Interrupt) => Promise<void> };

/** A call of an agent's tool. */
export interface AgentCall {
  readonly viewer: Viewer;
  readonly ways: AskWay;
  /** Aborts when the client disconnects or cancels the call: the run is then cancelled (D-46). */
  readonly signal: AbortSignal;
  readonly onProgress: (message: string) => void;
}

interface Message {
  readonly agentId: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The thread's client id; by default a new one. */
  readonly threadId: string | undefined;
}

type Outcome = CallToolResult | InputRequiredResult;

/** Sends the message to the agent and answers when the run has ended, or with what it asks. Throws what refuses it. */
export async function callAgent(
  services: Services,
  call: AgentCall,
  { agentId, args, threadId }: Message,
): Promise<Outcome> {
  const { viewer } = call;
  const messages = [{ role: "user", content: args.message }];
  const body = parseInput(InvokeBody, { messages, thread_id: threadId }, "body");
  const run = await startInvocation(services, { agentId, version: undefined, viewer, body, idempotencyKey: undefined });
  return finish(services, call, run, 0);
}

/** Continues a call that ended with asks, with the client's replies by `keyOfAsk`. */
export async function continueCall(
  services: Services,
  call: AgentCall,
  run: ProjectedRun,
  replies: Readonly<Record<string, unknown>>,
): Promise<Outcome> {
  const after = await lastSeq(services.database, run.runId);
  await answerAsks(services, call.viewer, run.runId, replies);
  return finish(services, call, run, after);
}

async function finish(services: Services, call: AgentCall, run: ProjectedRun, after: number): Promise<Outcome> {
  const client = { ownerId: call.viewer.id, signal: call.signal, detach: false };
  const asks = await whileAttached(services, run, client, (signal) =>
    untilOverOrAsked(services, call, { runId: run.runId, after, signal }),
  );
  return asks.length > 0 ? inputRequired(run.runId, asks) : resultOf(services.database, run);
}

/** A run that a call reads from an event on. */
interface FollowedRun {
  readonly runId: string;
  readonly after: number;
  readonly signal: AbortSignal;
}

/** The asks that the call ends with; none once the run has ended. */
async function untilOverOrAsked(services: Services, call: AgentCall, { runId, after, signal }: FollowedRun) {
  const pushed = new Set<string>();
  let cursor = after;
  while (!signal.aborted) {
    cursor = await followToPause(services, call, { runId, after: cursor, signal });
    if (signal.aborted || (await isOver(services.database, runId))) break;
    const asks = await openAsksOf(services.database, runId);
    if (call.ways.kind === "retry" && asks.length > 0) return asks;
    await bring(services, call, { runId, asks, pushed });
    const isDecided = call.ways.kind === "none" && asks.length > 0;
    if (!isDecided) await nextChange(services, runId, asks, signal);
  }
  return [];
}

/** Follows the run until it has ended or waits for people; returns the last row's number. */
async function followToPause(
  services: Services,
  call: AgentCall,
  { runId, after, signal }: FollowedRun,
): Promise<number> {
  let cursor = after;
  for await (const rows of followRun(services, runId, after, signal, "held-up")) {
    cursor = rows.at(-1)?.seq ?? cursor;
    for (const { event } of rows) tellProgress(call, event);
  }
  return cursor;
}

interface OpenAsks {
  readonly runId: string;
  readonly asks: readonly Interrupt[];
  /** The keys of those that were sent to the client. */
  readonly pushed: Set<string>;
}

/** Sends each ask to the client once, or denies it for a client that can't ask. */
async function bring(services: Services, { viewer, ways }: AgentCall, { runId, asks, pushed }: OpenAsks) {
  for (const ask of asks) {
    if (ways.kind === "none") await decideAsk(services, viewer, { runId, ask }, denied(ask, NO_ELICITATION));
    if (ways.kind !== "push" || pushed.has(keyOfAsk(ask))) continue;
    pushed.add(keyOfAsk(ask));
    await ways.send(runId, ask);
  }
}

/** Waits until something happens in the run or in one of those that ask. */
async function nextChange(
  services: Services,
  runId: string,
  asks: readonly Interrupt[],
  signal: AbortSignal,
): Promise<void> {
  const places = await Promise.all(
    [...new Set([runId, ...asks.flatMap((one) => one.runId ?? [])])].map(async (id) => ({
      id,
      after: await lastSeq(services.database, id),
    })),
  );
  const before = asks.map(keyOfAsk).join();
  if (
    (await openAsksOf(services.database, runId)).map(keyOfAsk).join() !== before ||
    (await isOver(services.database, runId))
  )
    return;
  const found = new AbortController();
  const until = AbortSignal.any([signal, found.signal]);
  await Promise.race(places.map(({ id, after }) => nextRow(services, id, after, until)));
  found.abort();
}

async function nextRow(services: Services, runId: string, after: number, signal: AbortSignal): Promise<void> {
  for await (const rows of followRun(services, runId, after, signal, "never")) if (rows.length > 0) return;
}

async function isOver(database: Database, runId: string): Promise<boolean> {
  const { status } = await database.run.findUniqueOrThrow({ where: { id: runId }, select: { status: true } });
  return hasEnded(status as RunStatus);
}

function tellProgress({ onProgress }: AgentCall, event: RunEvent): void {
  if (event.type === "model.started") onProgress(`Step ${event.step}`);
  if (event.type === "tool.call") onProgress(`Calling ${event.call.name}`);
}

function inputRequired(runId: string, asks: readonly Interrupt[]): InputRequiredResult {
  const inputRequests = Object.fromEntries(
    asks.map((one) => [
      keyOfAsk(one),
      { method: "elicitation/create" as const, params: { mode: "form" as const, ...formOfAsk(one) } },
    ]),
  );
  return { resultType: "input_required", inputRequests, requestState: runId };
}

const CANCELLED = "The run was cancelled.";

/** The answer as `/agents/{id}/invoke` gives it: its text, with the ids beside it. */
async function resultOf(database: Database, run: ProjectedRun): Promise<CallToolResult> {
  const _meta = { run_id: run.runId, trace_id: run.traceId, thread_id: run.clientThreadId };
  const answer = await invokeReply(database, run);
  const body = await answer.json();
  if (!answer.ok) return { ...textResult(String(body.error.message)), isError: true, _meta };
  const { status, response } = InvokeReply.parse(body);
  if (status === "cancelled") return { ...textResult(response || CANCELLED), isError: true, _meta };
  return { ...textResult(response), _meta: { ..._meta, status } };
}

/** A tool's result of one text. */
export function textResult(text: string): CallToolResult {
  return { content: [{ type: "text", text }] };
}
