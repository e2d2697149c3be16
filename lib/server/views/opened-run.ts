import type { StoredRunEvent } from "@/lib/schema/runs/run-event";
import { decodeOrUnknown } from "@/lib/server/engine/log/event-row";
import { onNotification } from "@/lib/server/engine/log/signals";
import type { OpeningRun, RunOpening } from "@/lib/server/platform/db/queries/streams/opening-run";
import { type RunWithoutEvents, runWithoutEvents } from "./run-without-events";

/** What the statement that opened a stream read of a run, for a follower that begins now. */
export interface OpenedRun {
  readonly run: OpeningRun;
  /** The first rows of its log. */
  readonly rows: readonly StoredRunEvent[];
  /** Whether they were all. */
  readonly isWhole: boolean;
  readonly hasChildren: boolean;
  readonly hasOpenChild: boolean;
  readonly mark: string;
  /** Whether this process has stored more of it meanwhile. Once asked, it no longer listens. */
  isOutdated(): boolean;
  /** What is left of it if its events are deleted. */
  withoutEvents(): RunWithoutEvents | null;
}

/** Listens to which runs this process stores rows of, from before the statement until a follower of the run does. */
export function watchStoredRuns(signal: AbortSignal) {
  const stored = new Set<string>();
  const stopListening = onNotification((notification) => {
    if (notification.type === "rows") stored.add(notification.runId);
  });
  const stop = (): void => {
    signal.removeEventListener("abort", stop);
    stopListening();
  };
  signal.addEventListener("abort", stop);
  return {
    stop,
    opened: ({ run, rows, message, ...opening }: RunOpening): OpenedRun => ({
      run,
      rows: rows.map(({ seq, data, createdAt }) => {
        return { runId: run.id, seq, at: createdAt.getTime(), event: decodeOrUnknown(data) };
      }),
      ...opening,
      isOutdated() {
        stop();
        return stored.has(run.id);
      },
      withoutEvents: () => runWithoutEvents(run, message),
    }),
  };
}
