import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { contentForm, toPreview } from "@/lib/client/files/file-queries";
import { callApi, callJson, queryString } from "@/lib/client/http/api";
import { PROJECTS_KEY, THREADS_KEY } from "@/lib/client/http/query-keys";
import { FileList } from "@/lib/schema/files/workspace-file";
import {
  type CreateProjectBody,
  Project,
  ProjectInstructionsList,
  ProjectMemberList,
  RemovedMember,
  type SetMemberBody,
  type UpdateProjectBody,
} from "@/lib/schema/projects/project";
import type { FileScope } from "@/lib/schema/projects/thread-project";
import { ThreadList, type ThreadState } from "@/lib/schema/threads/thread";

const pathOf = (id: string, rest = "") => `/api/projects/${encodeURIComponent(id)}${rest}`;

export function projectQuery(id: string) {
  return queryOptions({
    queryKey: [...PROJECTS_KEY, "one", id],
    queryFn: ({ signal }) => callJson(Project, pathOf(id), { signal }),
  });
}

export interface ProjectThreadFilters {
  readonly q: string;
  readonly mine: boolean;
  readonly state: ThreadState | null;
}

/** How often the list asks which step running threads are at. */
const STEP_MS = 5_000;

export function projectThreadsQuery(projectId: string, { q, mine, state }: ProjectThreadFilters) {
  const filters = { projectId, ...(q === "" ? {} : { q }), ...(mine ? { mine } : {}), ...(state ? { state } : {}) };
  return infiniteQueryOptions({
    queryKey: [...THREADS_KEY, "project", filters],
    queryFn: ({ pageParam, signal }) =>
      callJson(ThreadList, `/api/threads${queryString({ ...filters, cursor: pageParam })}`, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    select: ({ pages }) => pages.flatMap(({ threads }) => threads),
    placeholderData: (previous) => previous,
    // The feed tells of a run's start and end, not of its steps.
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ threads }) => threads.some(({ status }) => status === "running")) ? STEP_MS : false,
  });
}

export function projectFilesQuery(projectId: string, folder = "") {
  return queryOptions({
    queryKey: [...PROJECTS_KEY, "files", projectId, folder],
    queryFn: ({ signal }) =>
      callJson(FileList, pathOf(projectId, `/files${queryString({ path: folder })}`), { signal }),
    retry: false,
  });
}

/** What can be shown of a file as it is now. */
export function projectFileBytesQuery(projectId: string, path: string) {
  return queryOptions({
    queryKey: [...PROJECTS_KEY, "bytes", projectId, path],
    queryFn: async ({ signal }) =>
      toPreview(path, await (await callApi(projectFileUrl(projectId, path), { signal })).blob()),
    retry: false,
  });
}

export function instructionVersionsQuery(projectId: string) {
  return queryOptions({
    queryKey: [...PROJECTS_KEY, "instructions", projectId],
    queryFn: async ({ signal }) =>
      (await callJson(ProjectInstructionsList, pathOf(projectId, "/instructions"), { signal })).versions,
  });
}

export function createProject(body: Partial<CreateProjectBody> & { name: string }): Promise<Project> {
  return callJson(Project, "/api/projects", { method: "POST", body });
}

export function updateProject(id: string, body: UpdateProjectBody): Promise<Project> {
  return callJson(Project, pathOf(id), { method: "PATCH", body });
}

export async function deleteProject(id: string): Promise<void> {
  await callApi(pathOf(id), { method: "DELETE" });
}

/** Undoes a deletion. */
export function restoreProject(id: string): Promise<Project> {
  return callJson(Project, pathOf(id, "/restore"), { method: "POST" });
}

export async function setMember(id: string, body: SetMemberBody): Promise<void> {
  await callJson(ProjectMemberList, pathOf(id, "/members"), { method: "POST", body });
}

export function removeMember(id: string, userId: string): Promise<z.infer<typeof RemovedMember>> {
  return callJson(RemovedMember, pathOf(id, `/members/${encodeURIComponent(userId)}`), { method: "DELETE" });
}

/** Replaces a file of the same path. */
export async function uploadProjectFile(id: string, path: string, file: Blob): Promise<void> {
  await callApi(pathOf(id, "/files"), { method: "PUT", body: contentForm(path, file) });
}

/** Deletes it and gives back the way to undo that. */
export async function deleteProjectFile(id: string, path: string): Promise<() => Promise<void>> {
  const bytes = await (await callApi(projectFileUrl(id, path))).blob();
  await callApi(pathOf(id, `/files${queryString({ path })}`), { method: "DELETE" });
  return () => uploadProjectFile(id, path, bytes);
}

export function projectFileUrl(id: string, path: string): string {
  return pathOf(id, `/files/content${queryString({ path })}`);
}

const Created = z.object({ id: z.string() });

/** A new thread in the project. */
export async function createProjectThread(projectId: string, agentId: string, files: FileScope): Promise<string> {
  return (await callJson(Created, "/api/threads", { method: "POST", body: { agentId, projectId, files } })).id;
}
