import { queryOptions } from "@tanstack/react-query";
import { toPreview } from "@/lib/client/files/file-queries";
import { callApi, callJson, queryString } from "@/lib/client/http/api";
import { SKILLS_KEY } from "@/lib/client/http/query-keys";
import { AvailableSkills } from "@/lib/schema/skills/available-skills";
import { InstalledSkill, InstalledSkillList, InstallSkillReply, SkillDetail } from "@/lib/schema/skills/skill";
import { type PickedFile, toSkillForm } from "./skill-files";

const skillPath = (name: string) => `/api/skills/${encodeURIComponent(name)}`;

export const installedSkillsQuery = queryOptions({
  queryKey: [...SKILLS_KEY, "installed"],
  queryFn: async ({ signal }) => (await callJson(InstalledSkillList, "/api/skills", { signal })).skills,
});

/** A skill with the files of one version (default: the current one). */
export function skillQuery(name: string, version?: number) {
  return queryOptions({
    queryKey: [...SKILLS_KEY, "one", name, version ?? null],
    queryFn: ({ signal }) => callJson(SkillDetail, `${skillPath(name)}${queryString({ version })}`, { signal }),
  });
}

export function skillFileUrl(name: string, path: string, version: number): string {
  return `${skillPath(name)}/files${queryString({ path, version })}`;
}

/** A file of a version; it never changes. */
export function skillFileQuery(name: string, path: string, version: number) {
  return queryOptions({
    queryKey: [...SKILLS_KEY, "file", name, version, path],
    queryFn: async ({ signal }) =>
      toPreview(path, await (await callApi(skillFileUrl(name, path, version), { signal })).blob()),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function installSkill(files: readonly PickedFile[]): Promise<InstallSkillReply> {
  return callJson(InstallSkillReply, "/api/skills", { method: "POST", body: toSkillForm(files) });
}

/** The files of an older version become the next one. */
export function restoreSkillVersion(name: string, version: number): Promise<InstalledSkill> {
  return callJson(InstalledSkill, `${skillPath(name)}/versions/${version}/restore`, { method: "POST" });
}

export async function deleteSkill(name: string): Promise<void> {
  await callApi(skillPath(name), { method: "DELETE" });
}

export async function restoreSkill(name: string): Promise<void> {
  await callApi(`${skillPath(name)}/restore`, { method: "POST" });
}

/** What the viewer's agents find, in their own files too; of one agent when it is named. */
export function availableSkillsQuery(agentId?: string) {
  return queryOptions({
    queryKey: [...SKILLS_KEY, "available", agentId ?? null],
    queryFn: ({ signal }) =>
      callJson(AvailableSkills, `/agents/skills/available${queryString({ agent_id: agentId })}`, { signal }),
  });
}
