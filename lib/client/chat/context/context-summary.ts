import { percentText } from "@/lib/client/agents/context/rule-titles";
import { formatCount, formatTokens } from "@/lib/client/ui/text/format";
import type { ContextRule, ContextRuleName } from "@/lib/schema/agents/context-rule";
import type { SectionTokens } from "@/lib/schema/runs/section-tokens";
import type { ThreadContext } from "@/lib/schema/threads/thread-context";

type Fill = Pick<ThreadContext, "used" | "window" | "windowFrom">;

/** From here on, a word warns that little is left. */
const NEARLY_FULL = 0.9;

export interface FillLabel {
  /** "40%"; the tokens if the window's size is unknown. */
  readonly short: string;
  /** The part after it if there is room: " of 128k". */
  readonly rest: string;
  /** The same as a sentence, with exact numbers. */
  readonly exact: string;
  /** Share of the window; null if the window is unknown. */
  readonly share: number | null;
  /** The colour's meaning in words; null if there is nothing to say. */
  readonly warning: "nearly full" | "over the window" | null;
}

/** A window's fill, in words. An unknown window has numbers but no share. */
export function fillLabel({ used, window, windowFrom }: Fill): FillLabel {
  if (windowFrom === "assumed") {
    const exact = `about ${formatCount(used)} tokens, the window of the model is unknown`;
    return { short: formatTokens(used), rest: " tokens", exact, share: null, warning: null };
  }
  const share = used / window;
  return {
    short: percentText(share),
    rest: ` of ${formatTokens(window)}`,
    exact: `about ${formatCount(used)} of ${formatCount(window)} tokens, ${percentText(share)}`,
    share,
    warning: share > 1 ? "over the window" : share >= NEARLY_FULL ? "nearly full" : null,
  };
}

export type ContextGroupName = "system" | "tools" | "skills" | "memory" | "messages" | "tool_results";

export interface ContextGroup {
  readonly name: ContextGroupName;
  readonly title: string;
  readonly tokens: number;
  /** The sections it sums up. */
  readonly parts: readonly SectionTokens[];
}

const TITLES: readonly (readonly [name: ContextGroupName, title: string])[] = [
  ["system", "System prompt"],
  ["tools", "Tool schemas"],
  ["skills", "Skills"],
  ["memory", "Memory"],
  ["messages", "Messages"],
  ["tool_results", "Tool results"],
];

const GROUP_OF: Readonly<Record<string, ContextGroupName>> = {
  skills: "skills",
  skill_search: "skills",
  memory: "memory",
  memory_recall: "memory",
  "conversation-summary": "messages",
  tools: "tools",
  summary: "messages",
  messages: "messages",
  tool_results: "tool_results",
};

/** The group that a section belongs to. */
export function groupOfSection(name: string): ContextGroupName {
  return GROUP_OF[name] ?? "system";
}

/** The sections in a few groups, the fixed ones first, as in the request; empty groups are omitted. */
export function contextGroups(sections: readonly SectionTokens[]): ContextGroup[] {
  return TITLES.flatMap(([name, title]) => {
    const parts = sections.filter((section) => groupOfSection(section.name) === name && section.tokens > 0);
    const tokens = parts.reduce((sum, part) => sum + part.tokens, 0);
    return parts.length === 0 ? [] : [{ name, title, tokens, parts }];
  });
}

const WHEN: Readonly<Record<ContextRuleName, string>> = {
  pruning_soft: "before a run",
  pruning_hard: "before a run",
  summarization: "at the next model call",
  memory_flush: "before a compaction",
  compaction: "after a run",
};

const NOW: Readonly<Record<ContextRuleName, string>> = {
  pruning_soft: "in effect now",
  pruning_hard: "in effect now",
  summarization: "happens at the next model call",
  memory_flush: "happens before the next compaction",
  compaction: "happens after the next run",
};

export interface RuleStep extends ContextRule {
  readonly state: "now" | "next" | "later";
  /** The conversation's progress towards it, from 0 to 1. */
  readonly way: number;
  /** The moment it acts, as part of a sentence. */
  readonly words: string;
  /** Position on the whole context's bar at which it acts, as a share of the window. */
  readonly share: number;
  /** The share of the window that the conversation alone then takes, which is the one that the agent's config gives. */
  readonly ratio: number;
}

/** The rules in the order in which a growing conversation reaches them. */
export function ruleSteps(
  context: Pick<
    ThreadContext,
    "rules" | "conversation" | "used" | "window" | "stepTokens" | "savedTokens" | "messageLimit"
  >,
): RuleStep[] {
  const { rules, conversation, used, window, stepTokens, savedTokens, messageLimit } = context;
  const saving = rules.findLast(({ name, fires }) => fires && name.startsWith("pruning"))?.name;
  const next = rules.find(({ at, fires }) => !fires && at > conversation);
  return rules.map(({ name, at, fires }) => {
    const state = fires ? "now" : name === next?.name ? "next" : "later";
    return {
      name,
      at,
      state,
      way: fires ? 1 : Math.min(1, conversation / Math.max(1, at)),
      words: [
        ruleText({ name, at }, state, { conversation, stepTokens }),
        name === saving ? savingText(savedTokens) : "",
        name === "compaction" && !fires ? limitText(messageLimit) : "",
      ].join(""),
      share: (used - conversation + at) / window,
      ratio: at / window,
    };
  });
}

function savingText(tokens: number): string {
  return tokens > 0 ? `, saves ${formatCount(tokens)} tokens` : "";
}

/** "; or with more than 50 messages and 12,800 tokens (now 23)". */
function limitText(limit: ThreadContext["messageLimit"]): string {
  if (limit === null) return "";
  const { most, from, stored } = limit;
  const size = from === 0 ? "" : ` and ${formatCount(from)} tokens`;
  return `; or with more than ${formatCount(most)} messages${size} (now ${formatCount(stored)})`;
}

/** As a share of the bar: any narrower, and two labels would touch. */
const NARROWEST_GAP = 0.08;

/** The places on the bar whose labels do not touch, from left to right; `first` has its own in any case. */
export function labelledPlaces<Place extends { readonly name: ContextRuleName; readonly left: number }>(
  places: readonly Place[],
  first: ContextRuleName | undefined,
): Place[] {
  const byRank = places.toSorted((one, other) => Number(other.name === first) - Number(one.name === first));
  const shown: Place[] = [];
  for (const place of byRank) {
    if (shown.every(({ left }) => Math.abs(left - place.left) >= NARROWEST_GAP)) shown.push(place);
  }
  return shown.toSorted((one, other) => one.left - other.left);
}

function ruleText(
  { name, at }: ContextRule,
  state: RuleStep["state"],
  { conversation, stepTokens }: Pick<ThreadContext, "conversation" | "stepTokens">,
): string {
  if (state === "now") return NOW[name];
  if (at <= conversation) return WHEN[name];
  return state === "next"
    ? `about ${formatCount(at - conversation)} tokens from now${stepText(at - conversation, stepTokens)}, ${WHEN[name]}`
    : `from ${formatCount(at)} tokens of conversation, ${WHEN[name]}`;
}

/** In steps of the size of the recent ones; nothing if it is so far away that the number would say nothing. */
function stepText(tokens: number, stepTokens: number | null): string {
  if (stepTokens === null) return "";
  const steps = Math.ceil(tokens / stepTokens);
  if (steps > MOST_STEPS_SAID) return "";
  return steps === 1 ? ", about 1 step" : `, about ${formatCount(steps)} steps`;
}

const MOST_STEPS_SAID = 50;
