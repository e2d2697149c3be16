import "server-only";
import { AppError } from "@/lib/schema/app-error";
import { cancelRun } from "@/lib/server/engine/ending/cancel";
import { logger } from "@/lib/server/platform/logger";
import type { Services } from "@/lib/server/platform/services";
import { TextTakenBack } from "./completion-text";

/** A run and whose it is. */
export interface OwnedRun {
  readonly runId: string;
  readonly ownerId: string;
}

/** Cancels the run of a client that has left (D-46). */
export function cancelLeft(services: Services, { runId, ownerId }: OwnedRun): void {
  cancelRun(services.database, runId, ownerId).catch((error: unknown) => {
    logger().error({ err: error, runId }, "could not cancel the run of a client that left");
  });
}

/** What a stream that has begun reports of an error. A run whose text would have to be taken back is cancelled. */
export function streamProblem(services: Services, run: OwnedRun, error: unknown): AppError {
  if (error instanceof TextTakenBack) {
    cancelLeft(services, run);
    return new AppError("model_failed", error.message);
  }
  if (error instanceof AppError) return error;
  logger().error({ err: error, runId: run.runId }, "the stream of a reply failed");
  return new AppError("internal", "Something went wrong on the server.");
}

/** The header of replies that names the run. */
export function runHeaders({ runId }: Pick<OwnedRun, "runId">): Record<string, string> {
  return { "x-ringmaster-run-id": runId };
}
