import "server-only";
import { PROMPT_FILE_NAMES, type PromptFileList, type SavePromptFilesBody } from "@/lib/schema/agents/prompt";
import type { Viewer } from "@/lib/schema/users/user";
import { getCurrentVersion, publishChange } from "@/lib/server/agents/publish-version";
import { writeAudit } from "@/lib/server/audit/audit-log";

/** The agent's own prompt files, in the order in which a prompt contains them. Throws `not_found`. */
export async function listPromptFiles(agentId: string): Promise<PromptFileList> {
  const { number, files } = await getCurrentVersion(agentId);
  return {
    version: number,
    files: PROMPT_FILE_NAMES.flatMap((name) => files.find((file) => file.name === name) ?? []),
  };
}

/** Publishes a version with the same config and these files; null removes one. Throws `not_found`. */
export async function savePromptFiles(
  agentId: string,
  { files: changes }: SavePromptFilesBody,
  viewer: Viewer,
): Promise<PromptFileList> {
  const by = { createdById: viewer.id, note: "Changed prompt files" };
  let before: Record<string, unknown> = {};
  const number = await publishChange(
    agentId,
    ({ raw, number: current }) => {
      before = { version: current };
      return raw;
    },
    by,
    (files) =>
      PROMPT_FILE_NAMES.flatMap((name) => {
        const content = name in changes ? changes[name] : files.find((file) => file.name === name)?.content;
        return content === null || content === undefined ? [] : [{ name, content }];
      }),
  );
  const sides = { before, after: { version: number }, details: { files: Object.keys(changes) } };
  await writeAudit({ actorId: viewer.id, action: "agent.published", target: `agent:${agentId}`, ...sides });
  return listPromptFiles(agentId);
}
