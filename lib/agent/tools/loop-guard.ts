import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { ToolCall } from "@/lib/schema/messages/message";
import type { ToolResult } from "@/lib/schema/tools/tool";
import { sortKeys } from "./sort-keys";

const NOTE = "\n\nThe same call has now failed";

/** Watches for a call that fails repeatedly in one run (D-47). */
export interface LoopGuard {
  /** Counts the result; from the third identical failure on, its text tells the model so. */
  inspect(call: ToolCall, result: ToolResult): ToolResult;
  /** Why the run must stop, for people; null while it may continue. */
  stopReason(): string | null;
}

/** A result from the journal may be inspected again: the note in its text is not counted as part of the error. */
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
        reason = `The agent was stopped because the same ${call.name} call failed ${count} times with the same error: ${error}`;
      }
      if (count < config.warn_at) return result;
      return {
        ...result,
        error: `${error}${NOTE} ${count} times in this run. Do not repeat it: change the arguments, try another way, or say what is in the way.`,
      };
    },
  };
}
