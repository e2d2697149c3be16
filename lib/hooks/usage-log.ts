import type { Hook } from "@/lib/agent/hooks/hook";
import { showUsage } from "@/lib/schema/runs/usage";

export const USAGE_LOG_HOOK = "usage-log";

/** S2's usage logger: one log line with the tokens of every finished run. */
export function usageLogHook(): Hook {
  return {
    name: USAGE_LOG_HOOK,
    async afterAgent({ status, steps, usage }, { runId, threadId, logLine }) {
      const { inputTokens, outputTokens, estimated } = showUsage(usage);
      logLine("info", "run usage", {
        runId,
        threadId,
        status,
        steps,
        inputTokens,
        outputTokens,
        ...(estimated ? { estimated } : {}),
      });
    },
  };
}
