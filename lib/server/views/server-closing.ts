import { AppError } from "@/lib/schema/app-error";
import { hasEnded, type RunStatus } from "@/lib/schema/runs/run";
import { restartNotice } from "@/lib/server/engine/log/signals";
import { whenServerCloses } from "@/lib/server/http/event-stream";
import type { Services } from "@/lib/server/platform/services";

/** Watches for the server's shutdown for a reply that waits for a run; it aborts `stop`. */
export function watchServerClosing(services: Services, runId: string, stop: AbortController) {
  let isClosing = false;
  const release = whenServerCloses(services, () => {
    isClosing = true;
    stop.abort();
  });
  return {
    release,
    /** Throws `unavailable` with these details if the server ends before the run. */
    async requireEnd(details: Readonly<Record<string, string | null>>): Promise<void> {
      if (!isClosing) return;
      const row = await services.database.run.findUniqueOrThrow({ where: { id: runId }, select: { status: true } });
      if (!hasEnded(row.status as RunStatus)) throw new AppError("unavailable", restartNotice(runId), { details });
    },
  };
}
