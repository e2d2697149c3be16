import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { ToolCall } from "@/lib/schema/messages/message";
import type { ToolResult } from "@/lib/schema/tools/tool";
import { sortKeys } from "./sort-keys";

const NOTE = "\n\nThe same call has now failed";

/** Detects a call that fails repeatedly in one run (D-47). */
export interface LoopGuard {
  /** Counts the result; from the third identical failure on, adds a warning for the model to its text. */
  inspect(call: ToolCall, result: ToolResult): ToolResult;
  /** Why the run must stop, worded for people; null while it may continue. */
  stopReason(): string | null;
}

const STOPPED = "The agent was stopped because the same";

/** Whether a run's notice says that it was stopped for repeating itself. */
export function isLoopNotice(notice: string): boolean {
  return notice.startsWith(STOPPED);
}

/** A journalled result may be inspected again, so the warning in its text does not count as part of the error. */
export function createLoopGuard(config: AgentConfig["loop_guard"]): LoopGuard {
  const failures = new Map<string, number>();
  let reason: string | null = null;

  return {
    stopReason: () => reason,
    inspect(call, result) {
      if (!config.enabled || result.error === undefined) return result;
      const error = result.error.split(NOTE, 1)[0] ?? "";
      const key = JSON.stringify([call.name, sortKeys(call.args), error]);
      const count = (failures.get(key) ?? 0) + 1;
      failures.set(key, count);
      if (count >= config.stop_at) {
        reason = `${STOPPED} ${call.name} call failed ${count} times with the same error: ${error}`;
      }
      if (count < config.warn_at) return result;
      return {
        ...result,
        error: `${error}${NOTE} ${count} times in this run. Do not repeat it: change the arguments, try another way, or say what is in the way.`,
      };
    },
  };
}
