import "server-only";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { PreviewBody, PromptFile } from "@/lib/schema/agents/prompt";
import type { Viewer } from "@/lib/schema/users/user";
import { readConfigObject, readConfigYaml, requireConfig } from "@/lib/server/agents/config/read-config";
import { draftSource } from "@/lib/server/agents/drafts/agent-draft";
import { namedVersion } from "@/lib/server/agents/versions/named-version";

export interface PreviewedConfig {
  readonly config: AgentConfig;
  readonly promptFiles: readonly PromptFile[];
}

/**
 * The config being previewed, with its prompt files. Throws `not_found` for an unknown agent or version,
 * `invalid_input` for an invalid config, including a draft that is not yet valid.
 */
export async function previewedConfig(
  agentId: string,
  { config, yaml, version }: PreviewBody,
  viewer: Viewer,
): Promise<PreviewedConfig> {
  if (version === "draft") return draftConfig(agentId);
  const named = await namedVersion(agentId, version, viewer);
  if (config === undefined && yaml === undefined) return named;
  const given = requireConfig(yaml === undefined ? readConfigObject(config ?? {}) : readConfigYaml(yaml));
  return { config: given, promptFiles: named.promptFiles };
}

/** The current draft, or the published version if there is none. */
export async function draftConfig(agentId: string): Promise<PreviewedConfig> {
  const { yaml, files } = await draftSource(agentId);
  return { config: requireConfig(readConfigYaml(yaml)), promptFiles: files };
}
