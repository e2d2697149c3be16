import "server-only";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { Services } from "@/lib/server/platform/services";
import { modelRegistry } from "./models";

/** The `provider:model` that a run of this config calls first. */
export async function firstModel(
  services: Services,
  config: Pick<AgentConfig, "model" | "on_missing_provider">,
): Promise<string> {
  if (config.model) return modelRegistry(services).nameOf(config.model, config.on_missing_provider);
  return modelRegistry(services)
    .defaultModel()
    .catch(() => "unknown: the default provider does not answer");
}
