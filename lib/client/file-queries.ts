import { queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { callApi, callJson, queryString } from "./api";

/** Which workspace: the caller's own of an agent; `threadId` (as the client names it) where its scope is the thread. */
export interface WorkspaceRef {
  readonly threadId: string;
  readonly agentId: string;
  readonly clientId: string;
}

const FileEntries = z.object({
  path: z.string(),
  entries: z.array(z.object({ name: z.string(), type: z.enum(["file", "dir", "link"]), size: z.number() })),
});
export type FileEntry = z.infer<typeof FileEntries>["entries"][number];

const FileText = z.object({ path: z.string(), content: z.string() });

function fileUrl({ agentId, clientId }: WorkspaceRef, action: string, path: string): string {
  return `/agents/${encodeURIComponent(agentId)}/files/${action}${queryString({ path, thread_id: clientId })}`;
}

export function filesKey(threadId: string) {
  return ["files", threadId] as const;
}

export function folderQuery(workspace: WorkspaceRef, path: string) {
  return queryOptions({
    queryKey: [...filesKey(workspace.threadId), "list", path],
    queryFn: ({ signal }) => callJson(FileEntries, fileUrl(workspace, "list", path), { signal }),
  });
}

export function fileTextQuery(workspace: WorkspaceRef, path: string) {
  return queryOptions({
    queryKey: [...filesKey(workspace.threadId), "text", path],
    queryFn: ({ signal }) => callJson(FileText, fileUrl(workspace, "read", path), { signal }),
  });
}

export function downloadUrl(workspace: WorkspaceRef, path: string): string {
  return fileUrl(workspace, "download", path);
}

/** Replaces a file of the same path. */
export async function uploadFile(workspace: WorkspaceRef, path: string, file: File): Promise<void> {
  const body = new FormData();
  body.set("path", path);
  body.set("file", file);
  await callApi(fileUrl(workspace, "upload", ""), { method: "PUT", body });
}

const IMAGES = /\.(?:png|jpe?g|gif|webp|avif|bmp)$/iu;
const MARKDOWN = /\.(?:md|markdown)$/iu;

export function previewKind(path: string): "image" | "markdown" | "text" {
  if (IMAGES.test(path)) return "image";
  return MARKDOWN.test(path) ? "markdown" : "text";
}
