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
 * The config that a preview is of, with the prompt files that go with it. Throws `not_found` for an unknown agent or
 * version, `invalid_input` for a wrong config, also for a draft that is not one yet.
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

/** The draft as it is now, or the published version where there is none. */
export async function draftConfig(agentId: string): Promise<PreviewedConfig> {
  const { yaml, files } = await draftSource(agentId);
  return { config: requireConfig(readConfigYaml(yaml)), promptFiles: files };
}
