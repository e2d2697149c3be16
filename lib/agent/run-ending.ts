import { AppError } from "@/lib/schema/app-error";
import type { RunError } from "@/lib/schema/runs/run";
import type { ModelReply } from "@/lib/schema/runs/run-event";
import type { RunOutcome } from "./hooks/hook";
import { messageOf } from "./hooks/hook-chain";
import { cleanText } from "./messages/clean-text";
import { RunCancelled, RunSuspended } from "./run-cancelled";
import type { RunSession } from "./run-session";
import { INTERRUPTED, keepResult, keepToolMessages, tellCall } from "./run-tool-calls";
import { failedResult } from "./tools/execute-tool";

/** The outcome of a segment that ended normally, with a sentence that explains a missing answer (D-29). */
export function endNormally(
  session: RunSession,
  status: "completed" | "limit" | "waiting",
  reason: string | null = null,
): RunOutcome {
  const { run, added, progress } = session;
  const response = progress.reply?.content ?? "";
  const outcome = { status, added, response, ...progress.spent, steps: progress.step };
  if (status === "waiting") return { ...outcome, waitingFor: [...progress.pending].sort() };
  if (status === "completed" && progress.reply?.silent) return { ...outcome, silent: true };
  const missing = reason === null ? missingAnswer(session, response) : { notice: reason };
  if (missing === null) return outcome;
  const substitute = response === "" ? run.config.default_response : null;
  return { ...outcome, ...missing, ...(substitute === null ? {} : { defaultResponse: substitute }) };
}

type Missing = Required<Pick<RunOutcome, "notice" | "noticeKind">>;

function missingAnswer({ run, progress: { reply } }: RunSession, response: string): Missing | null {
  if (reply?.textCalls) return { noticeKind: "text-call", notice: TEXT_CALL_NOTICE };
  if (reply?.finishReason === "content-filter") return { noticeKind: "withheld", notice: withheldNotice(response) };
  if (response === "") return { noticeKind: "empty", notice: emptyReplyNotice(reply) };
  if (reply?.finishReason !== "length") return null;
  const notice = `The answer stops in the middle: the model reached its output limit (max_tokens: ${run.config.max_tokens}).`;
  return { noticeKind: "cut", notice };
}

function withheldNotice(response: string): string {
  return response === ""
    ? "The model's provider withheld the answer (content filter)."
    : "The model's provider says that it withheld the answer or a part of it (content filter).";
}

const TEXT_CALL_NOTICE =
  "The model wrote a tool call as text, because its server does not read calls. Switch on the server's tool parser, set the trait callsInText for this model under Admin, Models, or choose another model.";

/** The outcome of a run ended by a tool: a missing answer needs no explanation. */
export function endSaid({ added, progress }: RunSession): RunOutcome {
  const response = progress.reply?.content ?? "";
  return { status: "completed", added, response, ...progress.spent, steps: progress.step };
}

/** What the model reads as the result of a call that the end of its run cut off. */
const CUT_OFF = {
  cancelled: "cancelled: the run was stopped before this call finished",
  failed: "not finished: the run failed",
} as const;

/** Texts that stand where a call has no result. */
export const UNFINISHED_CALLS: readonly string[] = [...Object.values(CUT_OFF), INTERRUPTED];

/**
 * The outcome of a segment that was stopped. A cancel keeps the partial text and closes the open calls (D-54); an
 * AppError (abort reason or thrown) fails the run; a suspension is rethrown.
 */
export function endEarly(session: RunSession, error: unknown): RunOutcome {
  const { context, added, progress } = session;
  const reason: unknown = context.signal.aborted ? context.signal.reason : error;
  if (error instanceof RunSuspended) throw error;
  if (context.signal.aborted && !(reason instanceof RunCancelled) && !(reason instanceof AppError)) throw reason;

  closeOpenCalls(session, reason instanceof RunCancelled ? CUT_OFF.cancelled : CUT_OFF.failed);
  // A retry repeats a failed step as it was (D-85), so its partial text does not enter the history.
  const partialText = reason instanceof RunCancelled ? keepPartialText(session) : null;
  const outcome = {
    added,
    response: partialText ?? progress.reply?.content ?? "",
    ...progress.spent,
    steps: progress.step,
  };
  if (reason instanceof RunCancelled) return { ...outcome, status: "cancelled" };
  return { ...outcome, status: "failed", error: describeFailure(session, reason) };
}

export function limitNotice(maxIterations: number): string {
  const calls = maxIterations === 1 ? "1 model call" : `${maxIterations} model calls`;
  return `The agent stopped after ${calls}, the most it may make in one run. Continue to pick up where it left off.`;
}

function emptyReplyNotice(reply: ModelReply | null): string {
  if (reply?.finishReason === "length") {
    return "The model used up its output limit before it wrote an answer. Raise max_tokens or ask for less at once.";
  }
  return "The model ended its turn without writing an answer. Ask again, or tell it what you expect.";
}

function closeOpenCalls(session: RunSession, text: string): void {
  const { progress, added } = session;
  const { reply } = progress;
  if (!reply || reply.toolCalls.length === 0 || added.at(-1)?.role === "tool") return;
  for (const call of reply.toolCalls) {
    if (progress.results.has(call.id)) continue;
    tellCall(session, call);
    keepResult(session, call, failedResult(call, text), 0);
  }
  keepToolMessages(session, reply);
}

function keepPartialText({ progress, keep, context }: RunSession): string | null {
  const text = cleanText(progress.partialText);
  if (text === "") return null;
  keep({ id: `${context.runId}:${progress.step}`, role: "assistant", content: text, toolCalls: [] });
  return text;
}

function describeFailure({ context }: RunSession, error: unknown): RunError {
  if (error instanceof AppError) {
    const { code, message, options } = error;
    return options.failure === undefined ? { code, message } : { code, message, cause: options.failure };
  }
  context.logLine("error", `run ${context.runId} stopped by an internal error: ${messageOf(error)}`, {
    stack: error instanceof Error ? error.stack : undefined,
  });
  return { code: "internal", message: `The run stopped because of an internal error: ${messageOf(error)}` };
}
