import "server-only";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { PreviewBody, PromptFile } from "@/lib/schema/agents/prompt";
import type { Viewer } from "@/lib/schema/users/user";
import { readConfigObject, readConfigYaml, requireConfig } from "@/lib/server/agents/config/read-config";
import { draftSource } from "@/lib/server/agents/drafts/agent-draft";
import { namedVersion } from "@/lib/server/agents/versions/named-version";
import type { Services } from "@/lib/server/platform/services";

export interface PreviewedConfig {
  readonly config: AgentConfig;
  readonly promptFiles: readonly PromptFile[];
}

/**
 * The config being previewed, with its prompt files. Throws `not_found` for an unknown agent or version,
 * `invalid_input` for an invalid config, including a draft that is not yet valid.
 */
export async function previewedConfig(
  services: Services,
  agentId: string,
  { config, yaml, version }: PreviewBody,
  viewer: Viewer,
): Promise<PreviewedConfig> {
  if (version === "draft") return draftConfig(services, agentId);
  const named = await namedVersion(services, agentId, version, viewer);
  if (config === undefined && yaml === undefined) return named;
  const given = requireConfig(
    yaml === undefined ? readConfigObject(services, config ?? {}) : readConfigYaml(services, yaml),
  );
  return { config: given, promptFiles: named.promptFiles };
}

/** The current draft, or the published version if there is none. */
export async function draftConfig(services: Services, agentId: string): Promise<PreviewedConfig> {
  const { yaml, files } = await draftSource(services, agentId);
  return { config: requireConfig(readConfigYaml(services, yaml)), promptFiles: files };
}
