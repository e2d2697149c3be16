import type { AgentConfig } from "./agent-config";
import { SummarizationConfig } from "./agent-config-context";
import type { ContextRule } from "./context-rule";

/** The parts of a config that the rules read. */
export type ContextConfig = Pick<
  AgentConfig,
  "pruning" | "summarization" | "compaction" | "memory_flush" | "memory" | "backend" | "hooks"
>;

/** The rules that can act on this agent's conversations, by the tokens at which they do; the others are absent. */
export function contextRules(config: ContextConfig, window: number): ContextRule[] {
  const { pruning, compaction, memory_flush: flush } = config;
  const summarization = summarizationOf(config);
  const share = (ratio: number) => Math.floor(ratio * window);
  const soft = Math.ceil(pruning.soft_ratio * window);
  const compacts = Math.min(share(compaction.ratio), compaction.absolute_tokens ?? Number.POSITIVE_INFINITY);
  const flushes = flush.always ? compacts : Math.max(0, window - flush.reserve_tokens - flush.soft_threshold);
  const canFlush = flush.enabled && compaction.enabled && config.backend !== null && config.memory.paths.length > 0;
  const rules: (ContextRule | null)[] = [
    pruning.enabled ? { name: "pruning_soft", at: soft } : null,
    pruning.enabled ? { name: "pruning_hard", at: Math.max(soft, Math.ceil(pruning.hard_ratio * window)) } : null,
    summarization.enabled ? { name: "summarization", at: share(summarization.ratio) } : null,
    canFlush ? { name: "memory_flush", at: flushes } : null,
    compaction.enabled ? { name: "compaction", at: compacts } : null,
  ];
  return rules.filter((rule) => rule !== null).sort((left, right) => left.at - right.at);
}

/** The agent's own section, overridden by its entry in `hooks`; off if the list lacks the hook. */
export function summarizationOf({
  summarization,
  hooks,
}: Pick<AgentConfig, "summarization" | "hooks">): AgentConfig["summarization"] {
  if (hooks === null) return summarization;
  const entry = hooks.find((hook) => (typeof hook === "string" ? hook : hook.name) === "summarization");
  if (entry === undefined) return { ...summarization, enabled: false };
  if (typeof entry === "string") return summarization;
  if (!entry.enabled) return { ...summarization, enabled: false };
  const merged = SummarizationConfig.safeParse({ ...summarization, ...entry.config });
  return merged.success ? merged.data : summarization;
}
