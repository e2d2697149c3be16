import type { RunEvent } from "@/lib/schema/runs/run-event";
import { addUsage, type Usage } from "@/lib/schema/runs/usage";

/** AG-UI's TokenUsage. */
interface TokenUsage {
  readonly provider?: string;
  readonly model?: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
  readonly reasoningTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteInputTokens: number;
}

/** What the calls of a run used, one entry per model; that of subagents and summaries has no model. */
export class AgUiUsage {
  readonly #used = new Map<string, Usage>();
  #isUnknown = false;

  push(event: RunEvent): void {
    if (event.type === "usage.unknown") this.#isUnknown = true;
    if (event.type === "model.completed") this.#add(event.reply.model, event.reply.usage);
    if (event.type === "subagent.completed" || event.type === "summary.completed") this.#add("", event.usage);
  }

  /** As a field of an event; empty if the usage of any call is unknown (D-84). */
  get field(): { readonly usage?: readonly TokenUsage[] } {
    if (this.#isUnknown || this.#used.size === 0) return {};
    return { usage: [...this.#used].map(([name, usage]) => ({ ...namesOf(name), ...countsOf(usage) })) };
  }

  #add(name: string, usage: Usage): void {
    if (usage.isUsagePartial) this.#isUnknown = true;
    const before = this.#used.get(name);
    this.#used.set(name, before ? addUsage(before, usage) : usage);
  }
}

/** `provider:model` in its two parts. */
function namesOf(name: string): Pick<TokenUsage, "provider" | "model"> {
  const colon = name.indexOf(":");
  return colon === -1 ? {} : { provider: name.slice(0, colon), model: name.slice(colon + 1) };
}

function countsOf({ inputTokens, outputTokens, reasoningTokens, cachedReadTokens, cachedWriteTokens }: Usage) {
  return {
    inputTokens,
    outputTokens,
    totalTokens: inputTokens + outputTokens,
    reasoningTokens,
    cachedInputTokens: cachedReadTokens,
    cacheWriteInputTokens: cachedWriteTokens,
  };
}
