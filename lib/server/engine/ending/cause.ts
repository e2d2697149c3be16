import { isLoopNotice } from "@/lib/agent/tools/loop-guard";
import type { RunEvent, StoredRunEvent } from "@/lib/schema/runs/run-event";
import { limitProblemKey, runProblemKey } from "@/lib/schema/traces/problem-key";
import type { RunEnding } from "./plan";

/** How the run ended, for lists that filter by it. */
export interface EndCause {
  readonly errorCode: string | null;
  readonly endReason: string;
  readonly hasToolError: boolean;
  readonly problemKey: string | null;
}

/** `model` is the one that was asked last; null if none was. */
export function causeOf(
  { event, closing }: RunEnding,
  events: readonly StoredRunEvent[],
  model: string | null,
): EndCause {
  const hasToolError = events.some(
    (row) =>
      row.event.type === "tool.result" &&
      row.event.result.error !== undefined &&
      row.event.result.refused === undefined,
  );
  const base = { errorCode: null, hasToolError, problemKey: null };
  switch (event.type) {
    case "run.completed":
      return { ...base, ...limitCause(event), endReason: event.noticeKind ?? event.status };
    case "run.cancelled":
      return { ...base, endReason: closing.length === 0 ? "stopped" : "undecided" };
    case "run.failed": {
      const { code, message } = event.error;
      const problemKey = runProblemKey({ errorCode: code, model, message });
      return { errorCode: code, endReason: event.status, hasToolError, problemKey };
    }
  }
}

function limitCause({ status, notice }: Extract<RunEvent, { type: "run.completed" }>): Partial<EndCause> {
  if (status !== "limit" || notice === undefined) return {};
  return { problemKey: limitProblemKey(notice, { isLoop: isLoopNotice(notice) }) };
}
