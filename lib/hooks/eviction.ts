import type { Hook } from "@/lib/agent/hooks/hook";
import { cutMiddle } from "@/lib/agent/messages/cut-middle";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { ToolResult } from "@/lib/schema/tools/tool";

type EvictionConfig = AgentConfig["eviction"];

/** Cuts huge tool results for an agent without a workspace; with one, the filesystem hook does this (D-24). */
export function evictionHook(config: EvictionConfig): Hook {
  return { name: "eviction", wrapToolCall: evictResults(config) };
}

/** The ring that cuts results: the model reads the cut text, `display` stays whole. */
export function evictResults(config: EvictionConfig): NonNullable<Hook["wrapToolCall"]> {
  return async (call, next, context) => {
    const outcome = await next(call);
    if (outcome.kind === "pending" || !config.enabled) return outcome;
    if (context.findTool(call.name)?.evictable === false) return outcome;
    return { kind: "result", result: evict(outcome.result, config) };
  };
}

function evict(result: ToolResult, config: EvictionConfig): ToolResult {
  const cut = cutMiddle(result.error ?? result.output, { maxChars: config.max_chars, ...config });
  if (cut.truncatedChars === 0) return result;
  const { text, truncatedChars } = cut;
  return { ...result, ...(result.error === undefined ? { output: text } : { error: text }), truncatedChars };
}
