import "server-only";
import { smallestWindow } from "@/lib/models/context-window";
import type { AgentConfig, ModelSpec } from "@/lib/schema/agents/agent-config";
import type { WindowSource } from "@/lib/schema/agents/context-rule";
import type { Services } from "@/lib/server/platform/services";
import { defaultFallbacks, modelRegistry } from "./models";

type Asking = Pick<AgentConfig, "model" | "fallback_models" | "context_window" | "on_missing_provider">;

/**
 * The context window, in tokens, of an agent's runs, or of the one run for which `chosen` was picked as
 * `provider:model` instead of the agent's own model (D-79).
 */
export async function contextWindowOfRun(
  services: Services,
  config: Asking,
  chosen: string | null = null,
): Promise<number> {
  return (await runWindow(services, config, chosen)).window;
}

/** The context window together with its source. */
export async function runWindow(
  services: Services,
  config: Asking,
  chosen: string | null = null,
): Promise<{ readonly window: number; readonly windowFrom: WindowSource }> {
  const { model, fallback_models: fallbacks, context_window: configured, on_missing_provider: onMissing } = config;
  const nameOf = (spec: ModelSpec) => modelRegistry(services).nameOf(spec, onMissing);
  const usesDefaults = model === null && fallbacks.length === 0;
  const own = model === null ? await defaultModel(services) : nameOf(model);
  const first = chosen === null ? own : nameOf(chosen);
  const others = (usesDefaults ? [...defaultFallbacks(services)] : fallbacks).map(nameOf);
  const windowOf = (name: string) => modelRegistry(services).factsOf(name)?.window;
  const window = smallestWindow({ configured, first, isOwn: first === own, fallbacks: others, windowOf });
  if (window === configured) return { window, windowFrom: "agent" };
  const isKnown = [first, ...others].some((name) => windowOf(name) === window);
  return { window, windowFrom: isKnown ? "model" : "assumed" };
}

/** "" if the provider of the default model does not answer: the window is then as unknown as the model. */
function defaultModel(services: Services): Promise<string> {
  return modelRegistry(services)
    .defaultModel()
    .catch(() => "");
}
