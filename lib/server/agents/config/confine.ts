import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { HookEntry, PermissionsConfig } from "@/lib/schema/agents/agent-config-rules";
import { STANDARD_HOOKS } from "@/lib/server/agents/hooks/hook-table";

/**
 * The config an agent uses to answer input from outside: its own rules with mode `default` at most, files limited to
 * the thread, and nothing that reads or writes memory.
 */
export function confine(config: AgentConfig): AgentConfig {
  const { backend, permissions, memory } = config;
  const listed = config.hooks ?? STANDARD_HOOKS.map(({ name }): HookEntry => name);
  return {
    ...config,
    backend: backend && { ...backend, scope: "thread" },
    permissions: atMostDefault(permissions),
    memory: { ...memory, paths: [], recall: { ...memory.recall, enabled: false } },
    memory_flush: { ...config.memory_flush, enabled: false },
    hooks: listed.filter((entry) => nameOf(entry) !== "memory").map(withoutLaxMode),
  };
}

function atMostDefault(permissions: PermissionsConfig): PermissionsConfig {
  return { ...permissions, enabled: true, mode: permissions.mode === "plan" ? "plan" : "default" };
}

/** Entries in the list of hooks may set the permissions again. */
function withoutLaxMode(entry: HookEntry): HookEntry {
  if (typeof entry === "string" || entry.name !== "permissions") return entry;
  const { mode, ...rest } = entry.config;
  return { ...entry, enabled: true, config: { ...rest, enabled: true, ...(mode === "plan" ? { mode } : {}) } };
}

function nameOf(entry: HookEntry): string {
  return typeof entry === "string" ? entry : entry.name;
}
