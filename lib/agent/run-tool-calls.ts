import type { ToolCall } from "@/lib/schema/messages/message";
import type { ModelReply } from "@/lib/schema/runs/run-event";
import type { ToolResult } from "@/lib/schema/tools/tool";
import { messageOf } from "./hooks/hook-chain";
import { RunSuspended } from "./run-cancelled";
import type { RunSession } from "./run-session";
import { failedCall, failedResult } from "./tools/execute-tool";
import { describeCall } from "./tools/tool";

export const INTERRUPTED = "interrupted: outcome unknown, check before repeating";

/**
 * Runs the reply's calls that have no result yet, `max_parallel` at a time, and keeps the results as messages in call
 * order. The intents of the first calls are stored with the model's reply; a call that starts later stores its own.
 * Returns true if a call was left pending: its siblings have finished and the segment ends.
 */
export async function runToolCalls(session: RunSession, reply: ModelReply): Promise<boolean> {
  const { run, context, progress } = session;
  const open = reply.toolCalls.filter((call) => !progress.results.has(call.id));
  const [interrupted, runnable] = splitInterrupted(session, open);
  const maxParallel = run.config.tool_settings.max_parallel;
  const first = runnable.slice(0, maxParallel);

  for (const call of interrupted) keepResult(session, call, failedResult(call, INTERRUPTED), 0);
  await beginCalls(session, first);

  let pending = false;
  let next = 0;
  const work = async () => {
    while (next < runnable.length) {
      const index = next++;
      const call = runnable[index];
      if (!call) return;
      context.signal.throwIfAborted();
      if (index >= first.length) {
        await beginCalls(session, [call]);
      }
      if (await runOneCall(session, call)) pending = true;
    }
  };
  const workers = await Promise.allSettled(first.map(work));
  const failure = workers.find((worker) => worker.status === "rejected");
  if (failure) throw failure.reason;
  context.signal.throwIfAborted();

  if (!pending) keepToolMessages(session, reply);
  await context.log.commit(durability(session, runnable));
  return pending;
}

/** Appends one tool message per call, in call order. */
export function keepToolMessages({ progress, keep, context }: RunSession, reply: ModelReply): void {
  reply.toolCalls.forEach((call, index) => {
    const result = progress.results.get(call.id) ?? failedResult(call, INTERRUPTED);
    keep({
      id: `${context.runId}:${progress.step}.${index + 1}`,
      role: "tool",
      content: result.error ?? result.output,
      toolCallId: call.id,
      name: call.name,
      ...(result.error === undefined ? {} : { isError: true }),
      ...(result.images ? { images: result.images } : {}),
    });
  });
}

/** Records the result of a call and publishes it to the streams. */
export function keepResult(session: RunSession, call: ToolCall, result: ToolResult, durationMs: number): void {
  const kept = session.loopGuard.inspect(call, { ...result, toolCallId: call.id, name: call.name });
  session.progress.results.set(call.id, kept);
  session.context.log.emit({ type: "tool.result", step: session.progress.step, result: kept, durationMs });
}

/**
 * Stores the intents of the calls. A call with side effects waits until its intent is stored. Read-only calls may be
 * repeated after a crash, so they start at once; a result that is immediately available shares the reply's commit.
 */
async function beginCalls(session: RunSession, calls: readonly ToolCall[]): Promise<void> {
  emitIntents(session, calls);
  if (changeNothing(session, calls)) session.context.log.store();
  else await session.context.log.commit("full");
}

/** Records that the calls are about to run, unless the journal already has that. */
function emitIntents(session: RunSession, calls: readonly ToolCall[]): void {
  const { progress, context } = session;
  for (const call of calls) tellCall(session, call);
  const toolCallIds = calls.map(({ id }) => id).filter((id) => !progress.started.has(id));
  if (toolCallIds.length === 0) return;
  for (const id of toolCallIds) progress.started.add(id);
  context.log.emit({ type: "tool.intent", step: progress.step, toolCallIds });
}

/** Records that the call enters the rings: once, however often it is suspended and continued (D-71). */
export function tellCall({ toolbox, progress, context }: RunSession, call: ToolCall): void {
  if (progress.announced.has(call.id)) return;
  progress.announced.add(call.id);
  const tool = toolbox.find(call.name);
  const facts = describeCall(tool, call.args);
  context.log.emit({ type: "tool.call", step: progress.step, call, annotations: tool?.annotations ?? {}, facts });
}

async function runOneCall(session: RunSession, call: ToolCall): Promise<boolean> {
  const { context, callTool, progress } = session;
  const startedAt = context.now();
  const outcome = await callTool(call).catch((error: unknown) => {
    context.signal.throwIfAborted();
    if (error instanceof RunSuspended) throw error;
    return failedCall(call, messageOf(error));
  });
  if (context.signal.reason instanceof RunSuspended) throw context.signal.reason;
  if (outcome.kind === "pending") {
    progress.started.delete(call.id);
    progress.pending.add(outcome.reason);
    context.log.emit({ type: "tool.pending", step: progress.step, toolCallId: call.id, reason: outcome.reason });
    return true;
  }
  keepResult(session, call, outcome.result, Math.max(0, context.now() - startedAt));
  return false;
}

/** Splits off the calls that were in flight when their process died; they run again only if that is harmless. */
function splitInterrupted({ toolbox, progress }: RunSession, calls: readonly ToolCall[]): [ToolCall[], ToolCall[]] {
  const isInterrupted = (call: ToolCall) => {
    const tool = toolbox.find(call.name);
    const { readOnly, idempotent } = tool?.annotations ?? {};
    return progress.started.has(call.id) && !readOnly && !idempotent && !tool?.resumable;
  };
  return [calls.filter(isInterrupted), calls.filter((call) => !isInterrupted(call))];
}

/** A call with side effects must have its intent and result on disk; a read-only call can be repeated. */
function durability(session: RunSession, calls: readonly ToolCall[]): "normal" | "full" {
  return changeNothing(session, calls) ? "normal" : "full";
}

function changeNothing({ toolbox }: RunSession, calls: readonly ToolCall[]): boolean {
  return calls.every((call) => {
    const tool = toolbox.find(call.name);
    return tool === undefined || tool.annotations.readOnly === true;
  });
}
