import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import { PermissionsConfig } from "@/lib/schema/agents/agent-config-rules";

/**
 * The permissions that apply to a run: the agent's own, overridden by what its list of hooks sets for the hook
 * `permissions`. They stay off when the list disables that hook.
 */
export function permissionSettings({
  permissions,
  hooks,
}: Pick<AgentConfig, "permissions" | "hooks">): PermissionsConfig {
  const entry = hooks?.find((known) => typeof known !== "string" && known.name === "permissions");
  if (entry === undefined || typeof entry === "string") return permissions;
  const merged = PermissionsConfig.safeParse({ ...permissions, ...entry.config });
  const settings = merged.success ? merged.data : permissions;
  return entry.enabled ? settings : { ...settings, enabled: false };
}

/** How long an ask stays open, in ms; null for no limit. */
export function approvalTtlMs({ approval_ttl_hours: hours }: PermissionsConfig): number | null {
  return hours === null || hours === 0 ? null : Math.round(hours * 3_600_000);
}
