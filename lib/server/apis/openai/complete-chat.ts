import "server-only";
import { ChatCompletion, type CompletionUsage, type FinishReason } from "@/lib/schema/apis/openai";
import { AppError } from "@/lib/schema/app-error";
import type { Usage } from "@/lib/schema/runs/usage";
import { type CompletionText, completionText } from "@/lib/server/apis/completion-text";
import { cancelLeft, runHeaders, streamProblem } from "@/lib/server/apis/open-reply";
import { restartNotice } from "@/lib/server/engine/log/signals";
import { eventStreamResponse, type ServerSentEvent } from "@/lib/server/http/event-stream";
import { json } from "@/lib/server/http/reply";
import type { Database } from "@/lib/server/platform/db/database";
import type { Services } from "@/lib/server/platform/services";
import { followRun } from "@/lib/server/views/follow-run";
import { openAiError } from "./openai-error";
import { followToEnd, readEnding, requireFirstCall } from "./reply-run";
import type { StartedReply } from "./start-reply";

/** Waits for the run and answers with the whole reply. */
export async function completeChat(services: Services, started: StartedReply, signal: AbortSignal): Promise<Response> {
  const text = completionText("reset allowed");
  await followToEnd(services, started, signal, (event) => text.push(event));
  const { finishReason, notice, usage } = await readCompletion(services.database, started.runId, text);
  const message = { role: "assistant", content: text.text || notice, refusal: null };
  const choices = [{ index: 0, message, finish_reason: finishReason, logprobs: null }];
  const reply = { ...envelope(started), object: "chat.completion", choices, usage };
  return json(reply, { schema: ChatCompletion, headers: runHeaders(started) });
}

/** Streams the reply in OpenAI's chunks. Throws `budget_reached` if not even the run's first call fits the budget. */
export async function streamChat(
  services: Services,
  started: StartedReply,
  includeUsage: boolean,
  signal: AbortSignal,
): Promise<Response> {
  await requireFirstCall(services, started, signal);
  return eventStreamResponse(services, (stop) => chunks(services, started, includeUsage, stop), {
    signal,
    headers: runHeaders(started),
    onDisconnect: () => cancelLeft(services, started),
    farewell: { data: restartError(started) },
  });
}

async function* chunks(
  services: Services,
  started: StartedReply,
  includeUsage: boolean,
  signal: AbortSignal,
): AsyncGenerator<readonly ServerSentEvent[]> {
  const chunk = chunkMaker(started);
  try {
    yield [chunk({ role: "assistant", content: "" })];
    const text = completionText("already sent");
    for await (const rows of followRun(services, started.runId, 0, signal)) {
      const deltas = rows.map(({ event }) => text.push(event)).filter((delta) => delta !== "");
      if (deltas.length > 0) yield deltas.map((content) => chunk({ content }));
    }
    if (signal.aborted) return;
    const { finishReason, notice, usage } = await readCompletion(services.database, started.runId, text);
    if (text.text === "" && notice !== "") yield [chunk({ content: notice })];
    yield [chunk({}, finishReason)];
    if (includeUsage) yield [{ data: { ...envelope(started), object: CHUNK, choices: [], usage } }];
  } catch (error) {
    const problem = streamProblem(services, started, error);
    yield [{ data: openAiError(problem, problem.message) }];
  }
  yield [{ data: "[DONE]" }];
}

const CHUNK = "chat.completion.chunk";

function chunkMaker(started: StartedReply) {
  return (delta: { role?: "assistant"; content?: string }, finishReason: FinishReason | null = null) => ({
    data: {
      ...envelope(started),
      object: CHUNK,
      choices: [{ index: 0, delta, finish_reason: finishReason, logprobs: null }],
    },
  });
}

function restartError({ runId }: StartedReply) {
  const message = restartNotice(runId);
  return openAiError(new AppError("unavailable", message), message);
}

async function readCompletion(database: Database, runId: string, text: CompletionText) {
  const { run, isLimited, notice } = await readEnding(database, runId, text);
  const finishReason: FinishReason = isLimited ? "length" : "stop";
  return { finishReason, notice, usage: run.isUsagePartial ? null : completionUsage(run) };
}

function envelope({ runId, model }: StartedReply) {
  return { id: `chatcmpl-${runId}`, created: Math.floor(Date.now() / 1_000), model };
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
