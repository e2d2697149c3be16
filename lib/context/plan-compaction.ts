import { estimateTokens, tokensOf } from "@/lib/agent/messages/estimate-tokens";
import { type AgentConfig, contextWindowOf } from "@/lib/schema/agents/agent-config";
import type { Message } from "@/lib/schema/messages/message";

type Config = Pick<AgentConfig, "compaction" | "memory_flush" | "context_window" | "chars_per_token">;

/** A thread's history as a compaction sees it. */
export interface CompactionHistory {
  /**
   * The summary pair that precedes the messages; empty before the first compaction, or if the summary is in the system
   * prompt.
   */
  readonly pair: readonly Message[];
  /** The stored messages since the last cut, oldest first. */
  readonly messages: readonly Message[];
}

/**
 * D-7's estimate of the model's input: messages since the cut and the summary pair, without the system prompt (D-51).
 */
export function estimateHistory({ pair, messages }: CompactionHistory, config: Config): number {
  return estimateTokens([...pair, ...messages], config.chars_per_token);
}

/**
 * D-2: due if more than `max_messages` messages are stored since the last cut and take at least `min_ratio` of the
 * window (D-83), if the estimate is strictly above `ratio` of the window, or (S2) if it reaches `absolute_tokens`.
 */
export function isCompactionDue(history: CompactionHistory, config: Config): boolean {
  const { enabled, max_messages: maxMessages, ratio, absolute_tokens: absoluteTokens } = config.compaction;
  if (!enabled) return false;
  const tokens = estimateHistory(history, config);
  const floor = Math.floor(config.compaction.min_ratio * contextWindowOf(config));
  if (history.messages.length > maxMessages && tokens >= floor) return true;
  return tokens > Math.floor(ratio * contextWindowOf(config)) || (absoluteTokens !== null && tokens >= absoluteTokens);
}

/** D-39: due only near the end of the window, unless configured to run before every compaction. */
export function isFlushDue(history: CompactionHistory, config: Config): boolean {
  const { enabled, always, reserve_tokens: reserve, soft_threshold: soft } = config.memory_flush;
  if (!enabled) return false;
  return always || estimateHistory(history, config) >= contextWindowOf(config) - reserve - soft;
}

/**
 * How many of the messages to summarise: all but the last `keepLast`. Results whose call is cut are cut with it, so
 * fewer may be kept (D-3a). 0: nothing to summarise.
 */
export function findCompactionCut(messages: readonly Message[], keepLast: number): number {
  let cut = Math.max(0, messages.length - keepLast);
  if (cut === 0) return 0;
  while (messages[cut]?.role === "tool") cut += 1;
  return cut;
}

/** Summaries this short are always kept. */
const ALWAYS_KEPT_TOKENS = 100;

/**
 * Whether a summary is worth keeping (D-83): its own text is estimated below what it replaces, the messages and the
 * earlier summary. The fixed sentences of the pair count on neither side.
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
