import "server-only";
import {
  PROMPT_FILE_NAMES,
  type PromptFile,
  type PromptFileList,
  type SavePromptFilesBody,
} from "@/lib/schema/agents/prompt";
import type { Viewer } from "@/lib/schema/users/user";
import { type AuditOfVersion, getCurrentVersion, publishChange } from "@/lib/server/agents/publish-version";
import type { Database } from "@/lib/server/platform/db/database";
import type { Services } from "@/lib/server/platform/services";

/** The agent's own prompt files, in prompt order. Throws `not_found`. */
export async function listPromptFiles(database: Database, agentId: string): Promise<PromptFileList> {
  const { number, files } = await getCurrentVersion(database, agentId);
  return {
    version: number,
    files: PROMPT_FILE_NAMES.flatMap((name) => files.find((file) => file.name === name) ?? []),
  };
}

/** Publishes a version with the same config and these files; null removes a file. Throws `not_found`. */
export async function savePromptFiles(
  services: Services,
  agentId: string,
  { files: changes }: SavePromptFilesBody,
  viewer: Viewer,
): Promise<PromptFileList> {
  const audit: AuditOfVersion = (version, before) => ({
    actorId: viewer.id,
    action: "agent.published",
    target: `agent:${agentId}`,
    before: { version: before?.number ?? null },
    after: { version },
    details: { files: Object.keys(changes) },
  });
  const changeFiles = (files: readonly PromptFile[]) =>
    PROMPT_FILE_NAMES.flatMap((name) => {
      const content = name in changes ? changes[name] : files.find((file) => file.name === name)?.content;
      return content === null || content === undefined ? [] : [{ name, content }];
    });
  const by = { createdById: viewer.id, note: "Changed prompt files", audit };
  await publishChange(services, agentId, ({ raw }) => raw, { ...by, changeFiles });
  return listPromptFiles(services.database, agentId);
}
