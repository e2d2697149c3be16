import type { Hook } from "@/lib/agent/hooks/hook";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import { AppError } from "@/lib/schema/app-error";
import { toHook } from "@/lib/sdk/to-hook";
import { extensions } from "./extensions";
import { explainMissing } from "./registry";
import { traceHook } from "./trace-hook";

/**
 * The rings around tool calls (`preToolUse`, `postToolUse`, `wrapToolCall`) of the extensions that the agent's `hooks`
 * names, outermost first, for calls that are made outside a run. Throws `hook_failed` if one is missing: without its
 * word no call may pass.
 */
export function extensionToolRings({ hooks }: Pick<AgentConfig, "hooks">): Hook[] {
  const registry = extensions();
  return (hooks ?? []).flatMap((entry) => {
    const { name, enabled, config } = typeof entry === "string" ? { name: entry, enabled: true, config: {} } : entry;
    const registered = registry.hooks.get(name);
    if (!enabled) return [];
    if (registered === undefined) {
      const missing = explainMissing(name, registry);
      if (missing !== null) throw new AppError("hook_failed", `hook ${name}: ${missing}`);
      return [];
    }
    const { definition, file, hash } = registered;
    const parsed = definition.parseConfig(config);
    if (!parsed.ok) throw new AppError("hook_failed", `hook ${name}: its settings are not valid.`);
    const { wrapToolCall } = traceHook(toHook(name, definition.create(parsed.config)), { file, hash });
    return wrapToolCall ? [{ name, wrapToolCall, extension: { file, hash } }] : [];
  });
}
