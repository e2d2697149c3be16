import type { Hook } from "@/lib/agent/hook";

/** S2's usage logger: one log line with the tokens of every run that has ended. */
export function usageLogHook(): Hook {
  return {
    name: "usage-log",
    async afterAgent({ status, steps, usage }, { runId, threadId, logLine }) {
      logLine("info", "run usage", {
        runId,
        threadId,
        status,
        steps,
        inputTokens: usage.inputTokens,
        outputTokens: usage.outputTokens,
      });
    },
  };
}
