import "server-only";
import { smallestWindow } from "@/lib/models/context-window";
import type { AgentConfig, ModelSpec } from "@/lib/schema/agents/agent-config";
import { defaultFallbacks, modelRegistry } from "./models";

type Asking = Pick<AgentConfig, "model" | "fallback_models" | "context_window" | "on_missing_provider">;

/**
 * The context window of an agent's runs, or of the one run for which `chosen` was picked as `provider:model` instead of
 * the agent's own model (D-79). Tokens.
 */
export async function contextWindowOfRun(config: Asking, chosen: string | null = null): Promise<number> {
  const { model, fallback_models: fallbacks, context_window: configured, on_missing_provider: onMissing } = config;
  const nameOf = (spec: ModelSpec) => modelRegistry().nameOf(spec, onMissing);
  const usesDefaults = model === null && fallbacks.length === 0;
  const own = model === null ? await defaultModel() : nameOf(model);
  return smallestWindow({
    configured,
    first: chosen === null ? own : nameOf(chosen),
    isOwn: chosen === null || nameOf(chosen) === own,
    fallbacks: (usesDefaults ? [...defaultFallbacks()] : fallbacks).map(nameOf),
    windowOf: (name) => modelRegistry().factsOf(name)?.window,
  });
}

/** "" when the provider that would name it does not answer: its window is as unknown as the model. */
function defaultModel(): Promise<string> {
  return modelRegistry()
    .defaultModel()
    .catch(() => "");
}
