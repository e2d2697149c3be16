import { formatCount } from "@/lib/client/ui/text/format";
import type { RawConfig } from "@/lib/schema/agents/agent-api";
import { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { ContextRule, ContextRuleName } from "@/lib/schema/agents/context-rule";
import { summarizationOf } from "@/lib/schema/agents/context-rules";
import { percentText, RULE_TITLES } from "./rule-titles";

/** The fields that the context diagram is drawn from. */
const DRAWN = [
  "pruning",
  "summarization",
  "compaction",
  "memory_flush",
  "memory",
  "backend",
  "hooks",
  "eviction",
  "history",
  "chars_per_token",
] as const;

/** The fields that determine the window's size and how much of it a thread takes. */
const ASKED = ["model", "fallback_models", "on_missing_provider", "context_window", "chars_per_token"] as const;

/**
 * The config, as far as the diagram needs it; null while one of these fields is invalid. Other errors do not matter.
 */
export function drawnConfig(raw: RawConfig): AgentConfig | null {
  const found = AgentConfig.safeParse({ ...pick(raw, DRAWN), name: "agent" });
  return found.success ? found.data : null;
}

/** The part of the config that the server needs: other fields change neither the window nor the tokens of a thread. */
export function askedConfig(raw: RawConfig): RawConfig {
  return { name: "agent", ...pick(raw, ASKED) };
}

function pick(raw: RawConfig, names: readonly string[]): RawConfig {
  return Object.fromEntries(names.flatMap((name) => (raw[name] === undefined ? [] : [[name, raw[name]]])));
}

export interface RuleText {
  readonly title: string;
  readonly when: string;
  readonly does: string;
}

/** A rule's effect with these settings. */
export function ruleText(name: ContextRuleName, config: AgentConfig): RuleText {
  const { pruning, compaction, memory_flush: flush } = config;
  const summarization = summarizationOf(config);
  switch (name) {
    case "pruning_soft":
      return {
        title: RULE_TITLES.pruning_soft,
        when: "before a run",
        does: `Of a result over ${formatCount(pruning.soft_max_chars)} characters the first ${formatCount(pruning.soft_head)} and the last ${formatCount(pruning.soft_tail)} stay. ${newest(pruning.keep_last_assistants)}`,
      };
    case "pruning_hard":
      return {
        title: RULE_TITLES.pruning_hard,
        when: "before a run",
        does: `Those that had at least ${formatCount(pruning.min_prunable_tool_chars)} characters, the oldest first, until there is room.`,
      };
    case "summarization":
      return {
        title: RULE_TITLES.summarization,
        when: "within a run",
        does: `For the calls of this run only; the thread keeps them. The newest ${percentText(summarization.keep_ratio)} of the messages stay, at least ${summarization.keep_min}.`,
      };
    case "memory_flush":
      return {
        title: RULE_TITLES.memory_flush,
        when: flush.always ? "before every compaction" : "before a compaction",
        does: flush.always
          ? "The agent gets a short turn of its own for it."
          : "Only where the conversation has this many tokens when a compaction begins. The agent gets a short turn of its own for it.",
      };
    case "compaction":
      return {
        title: RULE_TITLES.compaction,
        when: "after a run",
        does: `The newest ${compaction.keep_last} messages stay. It also happens above ${formatCount(compaction.max_messages)} messages${compaction.min_ratio > 0 ? ` that take at least ${percentText(compaction.min_ratio)} of the window` : ""}.`,
      };
  }
}

function newest(count: number): string {
  if (count === 0) return "";
  return count === 1 ? "The newest reply is left alone." : `The newest ${count} replies are left alone.`;
}

export interface PlacedRule extends ContextRule {
  /** From 1, in order along the axis. */
  readonly number: number;
  /** Position on the axis, as a share. */
  readonly share: number;
  /** The row of marks it is in, so that none covers another. */
  readonly line: number;
}

/** Two marks closer than this would overlap. */
const MARK_SHARE = 0.055;

/** The position of each rule on the axis, which ends at the window. */
export function placeRules(rules: readonly ContextRule[], window: number): PlacedRule[] {
  const ends: number[] = [];
  return rules.map((rule, index) => {
    const share = Math.min(1, rule.at / window);
    const free = ends.findIndex((end) => share - end >= MARK_SHARE);
    const line = free === -1 ? ends.length : free;
    ends[line] = share;
    return { ...rule, number: index + 1, share, line };
  });
}
