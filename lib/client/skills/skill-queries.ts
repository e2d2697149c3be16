import { queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { toPreview } from "@/lib/client/files/file-queries";
import { ApiError, callApi, callJson, queryString } from "@/lib/client/http/api";
import { SKILLS_KEY } from "@/lib/client/http/query-keys";
import {
  InstalledSkill,
  InstalledSkillList,
  InstallSkillReply,
  SkillDetail,
  SkillDiff,
  SkillUsage,
} from "@/lib/schema/skills/skill";
import { type PickedFile, toSkillForm } from "./skill-files";

const skillPath = (name: string) => `/api/skills/${encodeURIComponent(name)}`;

export const installedSkillsQuery = queryOptions({
  queryKey: [...SKILLS_KEY, "installed"],
  queryFn: async ({ signal }) => (await callJson(InstalledSkillList, "/api/skills", { signal })).skills,
});

/** A skill with the files of one version (by default the current one). */
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

/** Makes the files of an older version the next one. */
export function restoreSkillVersion(name: string, version: number): Promise<InstalledSkill> {
  return callJson(InstalledSkill, `${skillPath(name)}/versions/${version}/restore`, { method: "POST" });
}

/** A skill with only a SKILL.md, which says where to write the instructions. */
export function createSkill({ name, description }: { name: string; description: string }): Promise<InstallSkillReply> {
  const content = `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n\n# ${name}\n\nDescribe here, step by step, how to do it.\n`;
  const body = { name, files: [{ path: "SKILL.md", content }] };
  return callJson(InstallSkillReply, "/api/skills", { method: "POST", body });
}

export interface SkillEdit {
  readonly path: string;
  readonly content: string;
  /** The version that was edited. */
  readonly version: number;
}

/** Writes a file; the reply is the next version. */
export function writeSkillFile(name: string, edit: SkillEdit): Promise<SkillDetail> {
  return callJson(SkillDetail, `${skillPath(name)}/files`, { method: "PUT", body: edit });
}

export function removeSkillFile(name: string, path: string, version: number): Promise<SkillDetail> {
  const url = `${skillPath(name)}/files${queryString({ path, version })}`;
  return callJson(SkillDetail, url, { method: "DELETE" });
}

const Conflict = z.object({ current: SkillDetail });

/** The current skill from a refused edit; null for any other refusal. */
export function skillConflictOf(error: unknown): SkillDetail | null {
  if (!(error instanceof ApiError) || error.code !== "conflict") return null;
  return Conflict.safeParse(error.details).data?.current ?? null;
}

/** The changes between two versions, file by file. */
export function skillDiffQuery(name: string, from: number, to: number) {
  return queryOptions({
    queryKey: [...SKILLS_KEY, "diff", name, from, to],
    queryFn: ({ signal }) =>
      callJson(SkillDiff, `${skillPath(name)}/diff${queryString({ from: String(from), to })}`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The agents that have the skill, and their prompts' text about it. */
export function skillUsageQuery(name: string) {
  return queryOptions({
    queryKey: [...SKILLS_KEY, "usage", name],
    queryFn: ({ signal }) => callJson(SkillUsage, `${skillPath(name)}/usage`, { signal }),
  });
}

export async function deleteSkill(name: string): Promise<void> {
  await callApi(skillPath(name), { method: "DELETE" });
}

export async function restoreSkill(name: string): Promise<void> {
  await callApi(`${skillPath(name)}/restore`, { method: "POST" });
}
