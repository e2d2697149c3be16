import { estimateTokens } from "@/lib/agent/messages/estimate-tokens";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { Message, ToolMessage } from "@/lib/schema/messages/message";

export const CLEARED_RESULT = "[Old tool result content cleared]";
const TRIM_MARK = "...";

export interface PruneOptions {
  readonly pruning: AgentConfig["pruning"];
  /** In tokens. */
  readonly contextWindow: number;
  readonly charsPerToken: number;
}

export interface Pruned {
  readonly messages: readonly Message[];
  /** How many results were cut to head and tail. */
  readonly trimmed: number;
  /** How many results were cleared; not counted as trimmed. */
  readonly cleared: number;
}

/**
 * Shortens old tool results in two passes when the estimate reaches the ratios of the window (S4 §6, D-38, D-50). The
 * first pass keeps head and tail of long results; the second clears huge ones (by their original length), oldest first,
 * until the ratio is below its threshold. Everything from the n-th last assistant message on is unchanged.
 */
export function pruneHistory(messages: readonly Message[], options: PruneOptions): Pruned {
  const { pruning, contextWindow, charsPerToken } = options;
  const end = prunableEnd(messages, pruning.keep_last_assistants);
  const ratio = (list: readonly Message[]) => estimateTokens(list, charsPerToken) / contextWindow;
  if (!pruning.enabled || end === 0 || ratio(messages) < pruning.soft_ratio) {
    return { messages, trimmed: 0, cleared: 0 };
  }
  const soft = messages.map((message, index) => (index < end ? softTrim(message, pruning) : message));
  const hard = hardClear(messages, soft, end, options);
  const cleared = hard.filter((message, index) => message !== soft[index]).length;
  const changed = hard.filter((message, index) => message !== messages[index]).length;
  return { messages: hard, trimmed: changed - cleared, cleared };
}

function hardClear(
  originals: readonly Message[],
  trimmed: readonly Message[],
  end: number,
  { pruning, contextWindow, charsPerToken }: PruneOptions,
): readonly Message[] {
  const result = [...trimmed];
  let tokens = estimateTokens(trimmed, charsPerToken);
  for (let index = 0; index < end && tokens / contextWindow >= pruning.hard_ratio; index += 1) {
    const [original, current] = [originals[index], result[index]];
    if (original?.role !== "tool" || current === undefined) continue;
    if (original.content.length < pruning.min_prunable_tool_chars) continue;
    if (current.content.length <= CLEARED_RESULT.length) continue;
    const { images: _, ...rest } = original;
    const cleared: ToolMessage = { ...rest, content: CLEARED_RESULT };
    tokens += estimateTokens([cleared], charsPerToken) - estimateTokens([current], charsPerToken);
    result[index] = cleared;
  }
  return result;
}

/** Index of the n-th last assistant message: earlier messages may be pruned. 0 if there are fewer. */
function prunableEnd(messages: readonly Message[], keepLastAssistants: number): number {
  let left = keepLastAssistants;
  if (left === 0) return messages.length;
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    if (messages[index]?.role !== "assistant") continue;
    left -= 1;
    if (left === 0) return index;
  }
  return 0;
}

function softTrim(message: Message, { soft_max_chars, soft_head, soft_tail }: AgentConfig["pruning"]): Message {
  if (message.role !== "tool") return message;
  const { length } = message.content;
  if (length <= soft_max_chars || length <= soft_head + TRIM_MARK.length + soft_tail) return message;
  const head = message.content.slice(0, soft_head).toWellFormed();
  const tail = message.content.slice(length - soft_tail).toWellFormed();
  return { ...message, content: `${head}${TRIM_MARK}${tail}` };
}
