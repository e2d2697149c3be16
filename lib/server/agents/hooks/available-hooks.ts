import { hookPhases } from "@/lib/agent/hooks/hook-phases";
import type { AvailableHooks } from "@/lib/schema/agents/agent-api";
import { extensions } from "@/lib/server/extensions/extensions";
import { STANDARD_HOOKS } from "./hook-table";
import { createSample } from "./sample-hook";
import { allHooks } from "./standard-hooks";

/** Every built-in hook, in S0's registration order, then those of the extensions. */
export function availableHooks(): AvailableHooks["hooks"] {
  return allHooks().map((definition) => {
    const { name, description, configSchema } = definition;
    const hook = createSample(definition);
    return {
      name,
      description,
      phases: hook ? hookPhases(hook) : [],
      config_schema: configSchema,
      standard: STANDARD_HOOKS.includes(definition),
      extension: sourceOf(name),
    };
  });
}

function sourceOf(name: string) {
  const registered = extensions().hooks.get(name);
  return registered ? { file: registered.file, hash: registered.hash } : null;
}
