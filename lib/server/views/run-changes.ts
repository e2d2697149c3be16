import { onStoredRows } from "@/lib/server/engine/log/signals";

/** A notification sooner than this after the last look waits until then. */
const EVERY_MS = 500;
/** How long to wait for a notification before looking anyway: one from another process may have been missed. */
const LOOK_AGAIN_MS = 5_000;

/** Decides when to check some runs again: once one of them has stored something, and periodically otherwise. */
export function runChanges() {
  const stops = new Map<string, () => void>();
  let time = Promise.withResolvers<null>();
  let timer: NodeJS.Timeout | undefined;
  let lookedAt = 0;
  let due = Number.POSITIVE_INFINITY;
  const scheduleWithin = (delayMs: number): void => {
    if (lookedAt + delayMs >= due) return;
    due = lookedAt + delayMs;
    clearTimeout(timer);
    timer = setTimeout(() => time.resolve(null), Math.max(0, due - Date.now()));
  };
  return {
    /** From now on only the changes of these runs count. */
    watch(runIds: Iterable<string>): void {
      const wanted = new Set(runIds);
      for (const [runId, stop] of stops) {
        if (wanted.has(runId)) continue;
        stop();
        stops.delete(runId);
      }
      for (const runId of wanted) {
        if (stops.has(runId)) continue;
        stops.set(
          runId,
          onStoredRows(runId, () => scheduleWithin(EVERY_MS)),
        );
        scheduleWithin(EVERY_MS);
      }
    },
    /** Resolves when it is time to look; then `looked` begins the next wait. */
    timeToLook: (): Promise<null> => time.promise,
    looked(): void {
      lookedAt = Date.now();
      due = Number.POSITIVE_INFINITY;
      time = Promise.withResolvers<null>();
      scheduleWithin(LOOK_AGAIN_MS);
    },
    stop(): void {
      clearTimeout(timer);
      for (const stop of stops.values()) stop();
      stops.clear();
    },
  };
}
