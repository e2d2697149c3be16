import type { RunEvent } from "@/lib/schema/runs/run-event";
import { unknownSpending } from "@/lib/schema/runs/usage";
import { count, countModelCall } from "@/lib/server/platform/telemetry/counters";

/** Of calls whose event does not name it: summaries, and those that were lost with their process. */
const UNKNOWN_MODEL = "unknown";

/** Counts what a new event of a run says for `/metrics`. The caller passes each event once. */
export function countEvent(agentId: string, event: RunEvent): void {
  switch (event.type) {
    case "model.completed":
      countModelCall(agentId, event.reply);
      break;
    case "summary.completed":
      countModelCall(agentId, { ...event, model: UNKNOWN_MODEL });
      break;
    case "usage.unknown":
      countModelCall(agentId, { ...unknownSpending(event.estimate), model: UNKNOWN_MODEL });
      break;
    case "tool.result": {
      const { error, refused } = event.result;
      const failed = refused === undefined ? "failed" : "refused";
      count("toolCalls", [agentId, error === undefined ? "completed" : failed]);
      break;
    }
    case "model.retry":
      count("retries", [agentId]);
      break;
    default:
  }
}
