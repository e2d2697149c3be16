import "server-only";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import { modelRegistry } from "./models";

/** The `provider:model` that a run of this config calls first. */
export async function firstModel(config: Pick<AgentConfig, "model" | "on_missing_provider">): Promise<string> {
  if (config.model) return modelRegistry().nameOf(config.model, config.on_missing_provider);
  return modelRegistry()
    .defaultModel()
    .catch(() => "unknown: the default provider does not answer");
}
