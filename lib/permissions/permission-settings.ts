import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import { PermissionsConfig } from "@/lib/schema/agents/agent-config-rules";

/**
 * A run's permissions: the agent's own, overridden by the settings of the hook `permissions` in its list of hooks. They
 * stay off if the list disables that hook.
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
