import "server-only";
import { ChatCompletion, type CompletionUsage, type FinishReason } from "@/lib/schema/apis/openai";
import { AppError, ERROR_STATUS, type ErrorCode } from "@/lib/schema/app-error";
import type { Usage } from "@/lib/schema/runs/usage";
import { cancelRun } from "@/lib/server/engine/ending/cancel";
import { restartNotice } from "@/lib/server/engine/log/signals";
import { eventStreamResponse, type ServerSentEvent } from "@/lib/server/http/event-stream";
import { json } from "@/lib/server/http/reply";
import { database } from "@/lib/server/platform/db/database";
import { logger } from "@/lib/server/platform/logger";
import { followRun } from "@/lib/server/views/follow-run";
import { watchServerClosing } from "@/lib/server/views/server-closing";
import { type CompletionText, completionText, TextTakenBack } from "./completion-text";
import { openAiError } from "./openai-error";
import type { StartedCompletion } from "./start-completion";

interface Ended {
  readonly finishReason: FinishReason;
  readonly notice: string;
  readonly usage: CompletionUsage | null;
}

/** Waits for the run and answers with the whole reply. A client that disconnects cancels the run (D-46). */
export async function completeChat(started: StartedCompletion, signal: AbortSignal): Promise<Response> {
  const text = completionText("reset allowed");
  const stop = new AbortController();
  const leave = () => {
    stop.abort();
    cancel(started);
  };
  signal.addEventListener("abort", leave);
  const server = watchServerClosing(started.runId, stop);
  try {
    for await (const rows of followRun(database(), started.runId, 0, stop.signal)) {
      for (const { event } of rows) text.push(event);
    }
  } finally {
    signal.removeEventListener("abort", leave);
    server.release();
  }
  await server.requireEnd({ run_id: started.runId });
  const { finishReason, notice, usage } = await readEnding(started.runId, text);
  const message = { role: "assistant", content: text.text || notice, refusal: null };
  const choices = [{ index: 0, message, finish_reason: finishReason, logprobs: null }];
  const reply = { ...envelope(started), object: "chat.completion", choices, usage };
  return json(reply, { schema: ChatCompletion, headers: runHeaders(started) });
}

/** Streams the reply in OpenAI's chunks. Throws `budget_reached` if not even the run's first call fits the budget. */
export async function streamChat(
  started: StartedCompletion,
  includeUsage: boolean,
  signal: AbortSignal,
): Promise<Response> {
  if (started.isLimited) await requireFirstCall(started, signal);
  return eventStreamResponse((stop) => chunks(started, includeUsage, stop), {
    signal,
    headers: runHeaders(started),
    onDisconnect: () => cancel(started),
    farewell: { data: restartError(started) },
  });
}

/** The longest wait for the head of a reply; after that, the stream itself reports the outcome of the run. */
const HEAD_WITHIN_MS = 15_000;

/** Waits until a run under a budget calls its model, because only the head of the reply can carry a refusing status. */
async function requireFirstCall({ runId }: StartedCompletion, signal: AbortSignal): Promise<void> {
  const stop = new AbortController();
  const server = watchServerClosing(runId, stop);
  const until = AbortSignal.any([signal, stop.signal, AbortSignal.timeout(HEAD_WITHIN_MS)]);
  try {
    for await (const rows of followRun(database(), runId, 0, until)) {
      const events = rows.map(({ event }) => event);
      const failed = events.find((event) => event.type === "run.failed");
      if (failed?.error.code === "budget_reached") throw new AppError("budget_reached", failed.error.message);
      if (events.some(({ type }) => type === "model.started")) return;
    }
  } finally {
    server.release();
  }
}

async function* chunks(
  started: StartedCompletion,
  includeUsage: boolean,
  signal: AbortSignal,
): AsyncGenerator<readonly ServerSentEvent[]> {
  const chunk = chunkMaker(started);
  try {
    yield [chunk({ role: "assistant", content: "" })];
    const text = completionText("already sent");
    for await (const rows of followRun(database(), started.runId, 0, signal)) {
      const deltas = rows.map(({ event }) => text.push(event)).filter((delta) => delta !== "");
      if (deltas.length > 0) yield deltas.map((content) => chunk({ content }));
    }
    if (signal.aborted) return;
    const { finishReason, notice, usage } = await readEnding(started.runId, text);
    if (text.text === "" && notice !== "") yield [chunk({ content: notice })];
    yield [chunk({}, finishReason)];
    if (includeUsage) yield [{ data: { ...envelope(started), object: CHUNK, choices: [], usage } }];
  } catch (error) {
    yield [{ data: streamError(started, error) }];
  }
  yield [{ data: "[DONE]" }];
}

const CHUNK = "chat.completion.chunk";

function chunkMaker(started: StartedCompletion) {
  return (delta: { role?: "assistant"; content?: string }, finishReason: FinishReason | null = null) => ({
    data: {
      ...envelope(started),
      object: CHUNK,
      choices: [{ index: 0, delta, finish_reason: finishReason, logprobs: null }],
    },
  });
}

function restartError({ runId }: StartedCompletion) {
  const message = restartNotice(runId);
  return openAiError(new AppError("unavailable", message), message);
}

function streamError(started: StartedCompletion, error: unknown) {
  if (error instanceof TextTakenBack) {
    cancel(started);
    return openAiError(new AppError("model_failed", error.message), error.message);
  }
  if (error instanceof AppError) return openAiError(error, error.message);
  logger().error({ err: error, runId: started.runId }, "a completion stream failed");
  const message = "Something went wrong on the server.";
  return openAiError(new AppError("internal", message), message);
}

/** How the run ended. If it failed, throws the error that the caller should get. */
async function readEnding(runId: string, { isCut, defaultResponse }: CompletionText): Promise<Ended> {
  const run = await database().run.findUniqueOrThrow({ where: { id: runId } });
  if (run.status === "cancelled") throw new AppError("conflict", "The run was cancelled.");
  if (run.status !== "completed" && run.status !== "limit") {
    throw new AppError(codeOf(run.errorCode), run.errorMessage ?? "The run failed.");
  }
  return {
    finishReason: run.status === "limit" || isCut ? "length" : "stop",
    notice: defaultResponse ?? run.notice ?? "",
    usage: run.isUsagePartial ? null : completionUsage(run),
  };
}

function codeOf(code: string | null): ErrorCode {
  return code !== null && code in ERROR_STATUS && code !== "internal" ? (code as ErrorCode) : "model_failed";
}

function envelope({ runId, model }: StartedCompletion) {
  return { id: `chatcmpl-${runId}`, created: Math.floor(Date.now() / 1_000), model };
}

function runHeaders({ runId }: StartedCompletion): Record<string, string> {
  return { "x-ringmaster-run-id": runId };
}

function cancel({ runId, ownerId }: StartedCompletion): void {
  cancelRun(database(), runId, ownerId).catch((error: unknown) => {
    logger().error({ err: error, runId }, "could not cancel the run of a client that left");
  });
}

function completionUsage(run: Usage): CompletionUsage {
  return {
    prompt_tokens: run.inputTokens,
    completion_tokens: run.outputTokens,
    total_tokens: run.inputTokens + run.outputTokens,
    prompt_tokens_details: { cached_tokens: run.cachedReadTokens },
    completion_tokens_details: { reasoning_tokens: run.reasoningTokens },
    ...(run.isUsageEstimated ? { estimated: true } : {}),
  };
}
