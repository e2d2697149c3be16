import { estimateTokens, tokensOf } from "@/lib/agent/messages/estimate-tokens";
import { type AgentConfig, contextWindowOf } from "@/lib/schema/agents/agent-config";
import type { Message } from "@/lib/schema/messages/message";

type Config = Pick<AgentConfig, "compaction" | "memory_flush" | "context_window" | "chars_per_token">;

/** A thread's history as a compaction sees it. */
export interface CompactionHistory {
  /** The summary pair that the model reads first; empty before the first compaction and where it is a system section. */
  readonly pair: readonly Message[];
  /** The stored messages since the last cut, oldest first. */
  readonly messages: readonly Message[];
}

/** D-7's estimate of what the model reads: messages since the cut and the summary pair, no system prompt (D-51). */
export function estimateHistory({ pair, messages }: CompactionHistory, config: Config): number {
  return estimateTokens([...pair, ...messages], config.chars_per_token);
}

/**
 * D-2: more than `max_messages` stored messages since the last cut where they take at least `min_ratio` of the window
 * (D-83), or an estimate strictly above `ratio` of the window, or (S2) one that reaches `absolute_tokens`.
 */
export function isCompactionDue(history: CompactionHistory, config: Config): boolean {
  const { enabled, max_messages: maxMessages, ratio, absolute_tokens: absoluteTokens } = config.compaction;
  if (!enabled) return false;
  const tokens = estimateHistory(history, config);
  const floor = Math.floor(config.compaction.min_ratio * contextWindowOf(config));
  if (history.messages.length > maxMessages && tokens >= floor) return true;
  return tokens > Math.floor(ratio * contextWindowOf(config)) || (absoluteTokens !== null && tokens >= absoluteTokens);
}

/** D-39: only near the end of the window, unless it is to happen before every compaction. */
export function isFlushDue(history: CompactionHistory, config: Config): boolean {
  const { enabled, always, reserve_tokens: reserve, soft_threshold: soft } = config.memory_flush;
  if (!enabled) return false;
  return always || estimateHistory(history, config) >= contextWindowOf(config) - reserve - soft;
}

/**
 * How many of the messages are summarised: all but the last `keepLast`. Results whose call would be cut are cut with
 * it, so fewer may stay (D-3a). 0: there is nothing to summarise.
 */
export function findCompactionCut(messages: readonly Message[], keepLast: number): number {
  let cut = Math.max(0, messages.length - keepLast);
  if (cut === 0) return 0;
  while (messages[cut]?.role === "tool") cut += 1;
  return cut;
}

/** A summary this short is kept whatever it replaces. */
const ALWAYS_KEPT_TOKENS = 100;

/**
 * Whether a summary is worth keeping (D-83): its own text is estimated below the messages it replaces and the earlier
 * summary, which goes with them. The fixed sentences of the pair count on neither side.
 */
export function shrinks(
  summary: string,
  replaced: { readonly messages: readonly Message[]; readonly summary: string | null },
  { chars_per_token: charsPerToken }: Pick<AgentConfig, "chars_per_token">,
): boolean {
  const tokens = tokensOf(summary, charsPerToken);
  const before = estimateTokens(replaced.messages, charsPerToken) + tokensOf(replaced.summary ?? "", charsPerToken);
  return tokens <= ALWAYS_KEPT_TOKENS || tokens < before;
}
