import { cleanText } from "@/lib/agent/messages/clean-text";
import { RunEvent, type StoredRunEvent } from "@/lib/schema/runs/run-event";
import { logger } from "@/lib/server/platform/logger";

/** Text that no database accepts: NUL, and half of a surrogate pair. */
const UNSAFE_ESCAPE = /\\u(?:0000|d[89a-f])/i;

/** The event as the JSON text of its row. */
export function encodeRunEvent(event: RunEvent): string {
  const json = JSON.stringify(event);
  if (!json.includes("\\u") || !UNSAFE_ESCAPE.test(json)) return json;
  return JSON.stringify(event, (_key, value: unknown) => (typeof value === "string" ? cleanText(value) : value));
}

/** The event of a row. Throws if the row was not written by `encodeRunEvent`. */
export function decodeRunEvent(data: string): RunEvent {
  return RunEvent.parse(JSON.parse(data));
}

/** For whoever only shows or ends the run: a row that can't be read may have been anything, so what it cost is unknown. */
export function decodeOrUnknown(data: string): RunEvent {
  try {
    return decodeRunEvent(data);
  } catch (error) {
    logger().error({ err: error }, "a row of a run's log can't be read");
    return { type: "usage.unknown", step: 0 };
  }
}

/** The columns of a new row, written by the process or transaction that holds the run at `epoch`. */
export function eventColumns({ runId, seq, at, event }: StoredRunEvent, epoch: number) {
  return { runId, seq, epoch, type: event.type, data: encodeRunEvent(event), createdAt: new Date(at) };
}
