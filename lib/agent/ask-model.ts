import { AppError } from "@/lib/schema/app-error";
import type { ModelReply } from "@/lib/schema/runs/run-event";
import { addSpending, type LostCall, unknownSpending } from "@/lib/schema/runs/usage";
import { BudgetReached } from "./budget";
import { buildRequest } from "./build-request";
import { foldRequest, messageOf, wrapModel } from "./hooks/hook-chain";
import type { OpenStep } from "./journal";
import { cleanText } from "./messages/clean-text";
import { estimateRequest, tokensOf } from "./messages/estimate-tokens";
import type { ModelCallOptions, ModelRequest, PromptSection } from "./model";
import { RunSuspended } from "./run-cancelled";
import type { RunSession } from "./run-session";
import { readCalls } from "./tools/read-arguments";
import type { Toolbox } from "./tools/toolbox";

/** The current model call's streamed state, besides its text, which is in `progress.partialText`. */
interface Streamed {
  toolInput: boolean;
  any: boolean;
}

/** The tools offered to the model. With "no tool" it is told to answer, and any calls it still makes are dropped. */
export type Offer = "every tool" | "no tool";

/** Ends the system prompt of a call that is offered no tool. */
export const FINAL_ANSWER: PromptSection = {
  name: "final-answer",
  text: "You have used up the steps of this request. Answer now with what you have found, without calling a tool.",
};

/**
 * One model call from start to finish: builds the request, folds it through `modifyRequest`, and sends it through the
 * model rings while its deltas become events. Emits `model.started` … `model.completed` without committing them.
 */
export async function askModel(session: RunSession, offer: Offer): Promise<ModelReply> {
  const { run, context, progress } = session;
  const { log } = context;
  const step = progress.step;
  const retried = step === 1 ? run.retried : null;
  const request = retried?.request ?? narrow(await foldRequest(run.hooks, buildRequest(session), context), offer);
  if (run.budget) await run.budget.admit(request);

  const startedAt = context.now();
  const streamed: Streamed = { toolInput: false, any: false };
  progress.firstAtMs = null;
  if (run.openStep?.step === step) {
    if (run.openStep.streamed) log.emit({ type: "step.reset", step });
    noteUnknownUsage(session, lostCall(session, request, run.openStep));
  } else {
    log.emit({
      type: "model.started",
      step,
      model: run.model.name,
      ...(step === 1 ? promptSections(session, request) : {}),
      ...(retried?.request === null ? { rebuilt: retried.reason } : {}),
    });
  }

  const send = (inner: ModelRequest) => callModel(session, inner, streamed);
  const call = wrapModel(run.hooks, retried?.request ? sendFirst(retried.request, send) : send, context);
  const reply = acceptReply(session, await call(request), offer);
  context.signal.throwIfAborted();
  emitUnstreamed(session, reply, streamed);
  progress.partialText = "";
  progress.spent = addSpending(progress.spent, reply);
  log.emit({ type: "model.completed", step, reply, durationMs: Math.max(0, context.now() - startedAt) });
  return reply;
}

/**
 * Replays a repeated call exactly as it was sent, because the rings have already changed that request. If a ring calls
 * again in the same step, its own request is sent.
 */
function sendFirst(recorded: ModelRequest, send: (request: ModelRequest) => Promise<ModelReply>): typeof send {
  let isSent = false;
  return (request) => {
    const sent = isSent ? request : recorded;
    isSent = true;
    return send(sent);
  };
}

function promptSections({ run }: RunSession, { system }: ModelRequest) {
  const { chars_per_token: charsPerToken } = run.config;
  const sections = system.map(({ name, text }) => ({
    name,
    tokens: tokensOf(text, charsPerToken),
    estimated: true as const,
  }));
  return sections.length === 0 ? {} : { sections };
}

function narrow(request: ModelRequest, offer: Offer): ModelRequest {
  return offer === "every tool" ? request : { ...request, system: [...request.system, FINAL_ANSWER], tools: [] };
}

async function callModel(session: RunSession, request: ModelRequest, streamed: Streamed): Promise<ModelReply> {
  const { run, context } = session;
  context.signal.throwIfAborted();
  voidStreamed(session, streamed);
  for (const watcher of session.watchers) watcher.onRequest?.(request);
  try {
    return withNames(await run.model.call(request, watchStream(session, streamed)));
  } catch (error) {
    if (error instanceof BudgetReached) throw error;
    noteUnknownUsage(session);
    context.signal.throwIfAborted();
    const code = error instanceof AppError ? error.code : "model_failed";
    const failure = error instanceof AppError ? error.options.failure : undefined;
    throw new AppError(code, `LLM call: ${messageOf(error)}`, { cause: error, failure });
  }
}

/**
 * Marks the usage of the call that just stopped as unknown. During a shutdown, the run's next owner records that
 * instead.
 */
function noteUnknownUsage({ context, progress }: RunSession, estimate?: LostCall): void {
  if (context.signal.reason instanceof RunSuspended) return;
  context.log.emit({ type: "usage.unknown", step: progress.step, ...(estimate ? { estimate } : {}) });
  progress.spent = addSpending(progress.spent, unknownSpending(estimate));
}

/** The call that the last process did not finish sent what is sent now; what it had answered is in the log. */
function lostCall({ run }: RunSession, request: ModelRequest, { streamedChars }: OpenStep): LostCall {
  const { chars_per_token: charsPerToken } = run.config;
  const inputTokens = estimateRequest(request, charsPerToken);
  const outputTokens = Math.ceil(streamedChars / charsPerToken);
  const costUsd = run.model.worstCostUsd?.({ input: inputTokens, output: outputTokens }) ?? null;
  return { inputTokens, outputTokens, costUsd };
}

/** Allocates one small object per delta and nothing more: this is the hot path for every streamed token. */
function watchStream(session: RunSession, streamed: Streamed): ModelCallOptions {
  const { context, callIds, progress, watchers } = session;
  const { log } = context;
  const step = progress.step;
  /** Calls that write a file, by the model's id; the text they write is streamed as it arrives. */
  const writing = new Map<string, string>();
  return {
    signal: context.signal,
    onText(delta) {
      noteFirst(session, streamed);
      progress.partialText += delta;
      log.emit({ type: "text.delta", step, delta });
    },
    onReasoning(delta) {
      noteFirst(session, streamed);
      log.emit({ type: "reasoning.delta", step, delta });
    },
    onTakeBack(reasoning) {
      log.emit({ type: "step.reset", step });
      progress.partialText = "";
      log.emit({ type: "reasoning.delta", step, delta: reasoning });
    },
    onToolInput(id, name) {
      noteFirst(session, streamed);
      streamed.toolInput = true;
      const tool = session.toolbox.find(name);
      const toolCallId = callIds.announce(id);
      if (tool?.kind === "edit") writing.set(id, toolCallId);
      log.emit({ type: "tool.input", step, toolCallId, name: tool?.name ?? name });
    },
    onToolInputDelta(id, delta) {
      const toolCallId = writing.get(id);
      if (toolCallId !== undefined) log.emit({ type: "tool.delta", step, toolCallId, delta });
    },
    onSent(changes) {
      for (const watcher of watchers) watcher.onSent?.(changes);
    },
    onRetry(retry) {
      const hasAnswered = streamed.any;
      voidStreamed(session, streamed);
      if (hasAnswered) noteUnknownUsage(session);
      const { attempt, error, delayMs, nextModel } = retry;
      log.emit({ type: "model.retry", step, attempt, error, delayMs, nextModel });
      for (const watcher of watchers) watcher.onRetry?.(retry);
    },
  };
}

function noteFirst({ context, progress }: RunSession, streamed: Streamed): void {
  if (streamed.any) return;
  streamed.any = true;
  progress.firstAtMs = context.now();
}

/** A retry voids everything streamed before it (D-48). */
function voidStreamed({ context, callIds, progress }: RunSession, streamed: Streamed): void {
  callIds.restart();
  if (!streamed.any) return;
  context.log.emit({ type: "step.reset", step: progress.step });
  Object.assign(streamed, { toolInput: false, any: false });
  Object.assign(progress, { partialText: "", firstAtMs: null });
}

/** Names calls that arrived without a name, so that the model reads that no such tool exists. */
function withNames(reply: ModelReply): ModelReply {
  if (reply.toolCalls.every(({ name }) => name !== "")) return reply;
  return { ...reply, toolCalls: reply.toolCalls.map((call) => ({ ...call, name: call.name || "unnamed" })) };
}

/** Sanitises untrusted model output: unique call ids, the tools' own names and types, and text that can be stored. */
function acceptReply({ callIds, toolbox }: RunSession, given: ModelReply, offer: Offer): ModelReply {
  const reply = offer === "every tool" ? takeTextCalls(given, toolbox) : given;
  const meant = reply.toolCalls.flatMap((call) => readCalls(call, toolbox));
  const ids = callIds.settle(meant.map((call) => call.id));
  const calls = meant.map((call, index) => ({ ...call, id: ids[index] ?? call.id }));
  return { ...reply, content: cleanText(reply.content), toolCalls: offer === "every tool" ? calls : [] };
}

/** Calls in words become calls only if the model's traits say so and each of them fits its tool. */
function takeTextCalls(reply: ModelReply, toolbox: Toolbox): ModelReply {
  if (!reply.textCalls?.mayRun) return reply;
  const calls = reply.textCalls.calls.flatMap((call) => readCalls({ ...call, fromText: true }, toolbox));
  const fit = calls.every(({ name, args }) => toolbox.find(name)?.parse(args).ok === true);
  if (!fit) return reply;
  const { textCalls: _, ...rest } = reply;
  return { ...rest, content: "", toolCalls: calls, finishReason: "tool-calls" };
}

/** A ring may replace or change the model's answer; streams must show the final text. */
function emitUnstreamed(session: RunSession, reply: ModelReply, streamed: Streamed): void {
  const hasDanglingCall = streamed.toolInput && reply.toolCalls.length === 0;
  const { step, partialText } = session.progress;
  if (cleanText(partialText) === reply.content && !hasDanglingCall) return;
  const { log } = session.context;
  if (streamed.any) {
    log.emit({ type: "step.reset", step });
    for (const { text } of reply.reasoning) log.emit({ type: "reasoning.delta", step, delta: text });
  }
  if (reply.content !== "") log.emit({ type: "text.delta", step, delta: reply.content });
}
