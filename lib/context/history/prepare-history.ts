import { estimateTokens } from "@/lib/agent/messages/estimate-tokens";
import { type AgentConfig, contextWindowOf } from "@/lib/schema/agents/agent-config";
import type { Message } from "@/lib/schema/messages/message";
import { limitTurns } from "./limit-turns";
import { pruneHistory } from "./prune";
import { repairHistory } from "./repair";

/** The pipeline's changes to the stored messages of a thread. Tokens are D-7's estimate. */
export interface HistoryReport {
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** How many messages the turn limit omitted. */
  readonly leftOut: number;
  readonly trimmed: number;
  readonly cleared: number;
  readonly dropped: number;
  readonly added: number;
}

export interface PreparedHistory {
  readonly messages: readonly Message[];
  readonly report: HistoryReport;
}

/** The history that a run sends (S4 §5, D-24a): limit turns, prune, repair. The stored messages are unchanged. */
export function prepareHistory(stored: readonly Message[], config: AgentConfig): PreparedHistory {
  const { pruning, chars_per_token: charsPerToken } = config;
  const contextWindow = contextWindowOf(config);
  const limited = limitTurns(stored, config.history.limit_turns);
  const pruned = pruneHistory(limited, { pruning, contextWindow, charsPerToken });
  const { messages, dropped, added } = repairHistory(pruned.messages);
  return {
    messages,
    report: {
      tokensBefore: estimateTokens(stored, charsPerToken),
      tokensAfter: estimateTokens(messages, charsPerToken),
      leftOut: stored.length - limited.length,
      trimmed: pruned.trimmed,
      cleared: pruned.cleared,
      dropped,
      added,
    },
  };
}
