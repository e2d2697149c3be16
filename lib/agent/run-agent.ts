import { AppError } from "@/lib/schema/app-error";
import type { ModelReply } from "@/lib/schema/runs/run-event";
import { askModel, type Offer } from "./ask-model";
import { BudgetReached } from "./budget";
import type { RunOutcome } from "./hooks/hook";
import { callAfterAgent, callBeforeAgent } from "./hooks/hook-chain";
import { approvalExpiry } from "./interrupts";
import { endEarly, endNormally, endSaid, limitNotice } from "./run-ending";
import { type AgentRun, keepReply, openSession, type RunEnvironment, type RunSession, startStep } from "./run-session";
import { runToolCalls } from "./run-tool-calls";
import { isSteeredOn, readSteers } from "./steering";

export type { AgentRun, RunEnvironment } from "./run-session";

/**
 * Runs one segment of an agent's run: calls the model, runs the tools it calls, and repeats until it answers without a
 * tool call, reaches its limit, or leaves a call pending. Emits every event of the run except `run.started` and the one
 * that ends it; the last events may not be committed yet.
 *
 * Never throws for a failed or cancelled run: the outcome says so. Throws only a suspension (see RunSuspended).
 */
export async function runAgent(run: AgentRun, environment: RunEnvironment): Promise<RunOutcome> {
  const session = openSession(run, environment);
  const outcome = await runSegment(session)
    .catch((error: unknown) => (error instanceof BudgetReached ? endAtBudget(session, error) : Promise.reject(error)))
    .catch((error: unknown) => endEarly(session, error));
  if (outcome.status !== "waiting") await callAfterAgent(run.hooks, outcome, session.context);
  return outcome;
}

async function runSegment(session: RunSession): Promise<RunOutcome> {
  const { run, context } = session;
  const { max_iterations: maxIterations } = run.config;
  await callBeforeAgent(run.hooks, context);

  for (let step = 1; step <= maxIterations; step++) {
    const reply = await nextReply(session, step, "every tool");
    if (reply.toolCalls.length === 0) {
      if (await isSteeredOn(session, step)) continue;
      return endAnswered(session, "completed");
    }

    const isPending = await runToolCalls(session, reply);
    if (isPending) return endNormally(session, "waiting");

    if (hasEndedItself(session, reply)) {
      if (await isSteeredOn(session, step)) continue;
      await context.log.commit("normal");
      return endSaid(session);
    }

    const stopReason = session.loopGuard.stopReason();
    if (stopReason) return endNormally(session, "limit", stopReason);
  }

  if (run.config.on_limit === "stop") return endNormally(session, "limit", limitNotice(maxIterations));
  await nextReply(session, maxIterations + 1, "no tool");
  return endAnswered(session, "limit", limitNotice(maxIterations));
}

function hasEndedItself({ context, progress }: RunSession, { toolCalls }: ModelReply): boolean {
  return toolCalls.some(
    ({ id, name }) => context.findTool(name)?.endsRun && progress.results.get(id)?.error === undefined,
  );
}

/** The reply of this step: from the journal if an earlier segment received it, otherwise from the model. */
async function nextReply(session: RunSession, step: number, offer: Offer): Promise<ModelReply> {
  session.context.signal.throwIfAborted();
  await readSteers(session, step);
  const journalled = startStep(session, step);
  if (journalled) {
    keepReply(session, journalled);
    return journalled;
  }
  const reply = await askModel(session, offer);
  const message = keepReply(session, reply);
  if (message) for (const watcher of session.watchers) watcher.onReply?.(message);
  return reply;
}

/** Ends or suspends the run because its next model call exceeds a budget; nothing of that call was sent. */
async function endAtBudget(session: RunSession, { outcome, message, ask }: BudgetReached): Promise<RunOutcome> {
  const { run, context, progress } = session;
  const { step } = progress;
  if (outcome === "refuse") throw new AppError("budget_reached", message);
  if (outcome === "final_answer") {
    run.budget?.admitLast();
    const isAnswered = await nextReply(session, step, "no tool").then(() => true, unlessReached);
    if (isAnswered) return endAnswered(session, "limit", message);
  }
  const steps = Math.max(0, step - 1);
  if (outcome === "wait") {
    const toolCallId = context.createId("budget");
    const asked = { toolCallId, reason: message, budget: ask, ...approvalExpiry(context) };
    context.log.emit({ type: "budget.reached", step, ...asked });
    progress.pending.add("budget");
    await context.log.commit("normal");
    return { ...endNormally(session, "waiting"), steps };
  }
  await context.log.commit("normal");
  return { ...endNormally(session, "limit", message), steps };
}

function unlessReached(error: unknown): false {
  if (error instanceof BudgetReached) return false;
  throw error;
}

async function endAnswered(session: RunSession, status: "completed" | "limit", reason?: string): Promise<RunOutcome> {
  await session.context.log.commit("normal");
  return endNormally(session, status, reason);
}
