import "server-only";
import { AppError, ERROR_STATUS, type ErrorCode } from "@/lib/schema/app-error";
import type { RunEvent } from "@/lib/schema/runs/run-event";
import type { CompletionText } from "@/lib/server/apis/completion-text";
import { cancelLeft } from "@/lib/server/apis/open-reply";
import type { Database } from "@/lib/server/platform/db/database";
import type { Services } from "@/lib/server/platform/services";
import { followRun } from "@/lib/server/views/follow-run";
import { watchServerClosing } from "@/lib/server/views/server-closing";
import type { StartedReply } from "./start-reply";

/** Gives every event of the run to `push` until it has ended. A client that disconnects cancels the run (D-46). */
export async function followToEnd(
  services: Services,
  started: StartedReply,
  signal: AbortSignal,
  push: (event: RunEvent) => void,
): Promise<void> {
  const stop = new AbortController();
  const leave = () => {
    stop.abort();
    cancelLeft(services, started);
  };
  signal.addEventListener("abort", leave);
  const server = watchServerClosing(services, started.runId, stop);
  try {
    for await (const rows of followRun(services, started.runId, 0, stop.signal)) {
      for (const { event } of rows) push(event);
    }
  } finally {
    signal.removeEventListener("abort", leave);
    server.release();
  }
  await server.requireEnd({ run_id: started.runId });
}

/** The longest wait for the head of a reply; after that, the stream itself reports the outcome of the run. */
const HEAD_WITHIN_MS = 15_000;

/**
 * Waits until a run under a budget calls its model, because only the head of a streamed reply can carry a refusing
 * status. Throws `budget_reached` if not even that call fits.
 */
export async function requireFirstCall(
  services: Services,
  { runId, isLimited }: StartedReply,
  signal: AbortSignal,
): Promise<void> {
  if (!isLimited) return;
  const stop = new AbortController();
  const server = watchServerClosing(services, runId, stop);
  const until = AbortSignal.any([signal, stop.signal, AbortSignal.timeout(HEAD_WITHIN_MS)]);
  try {
    for await (const rows of followRun(services, runId, 0, until)) {
      const events = rows.map(({ event }) => event);
      const failed = events.find((event) => event.type === "run.failed");
      if (failed?.error.code === "budget_reached") throw new AppError("budget_reached", failed.error.message);
      if (events.some(({ type }) => type === "model.started")) return;
    }
  } finally {
    server.release();
  }
}

/** How the run ended. If it failed, throws the error that the caller should get. */
export async function readEnding(database: Database, runId: string, { isCut, defaultResponse }: CompletionText) {
  const run = await database.run.findUniqueOrThrow({ where: { id: runId } });
  if (run.status === "cancelled") throw new AppError("conflict", "The run was cancelled.");
  if (run.status !== "completed" && run.status !== "limit") {
    throw new AppError(codeOf(run.errorCode), run.errorMessage ?? "The run failed.");
  }
  return {
    run,
    /** It ended at a limit of the run or of the model's reply. */
    isLimited: run.status === "limit" || isCut,
    /** The text if the model wrote none. */
    notice: defaultResponse ?? run.notice ?? "",
  };
}

export function codeOf(code: string | null): ErrorCode {
  return code !== null && code in ERROR_STATUS && code !== "internal" ? (code as ErrorCode) : "model_failed";
}
