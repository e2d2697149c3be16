import { queryOptions } from "@tanstack/react-query";
import { callApi, callJson, queryString } from "@/lib/client/http/api";
import { filesKey } from "@/lib/client/http/query-keys";
import { DocumentReading } from "@/lib/schema/files/document";
import {
  ChangedFileList,
  FileDiff,
  FileList,
  FilesThen,
  FileVersionList,
  RunFiles,
} from "@/lib/schema/files/workspace-file";

export type FileEntry = FileList["entries"][number];

type Values = Parameters<typeof queryString>[0];

function fileUrl(threadId: string, action: string, values: Values): string {
  return `/api/threads/${encodeURIComponent(threadId)}/files${action}${queryString(values)}`;
}

export function folderQuery(threadId: string, path: string) {
  return queryOptions({
    queryKey: [...filesKey(threadId), "list", path],
    queryFn: ({ signal }) => callJson(FileList, fileUrl(threadId, "", { path }), { signal }),
  });
}

export function changedFilesQuery(threadId: string) {
  return queryOptions({
    queryKey: [...filesKey(threadId), "changed"],
    queryFn: async ({ signal }) =>
      (await callJson(ChangedFileList, fileUrl(threadId, "/changed", {}), { signal })).files,
  });
}

/** The files as of the end of this message's run. */
export function filesThenQuery(threadId: string, message: string) {
  return queryOptions({
    queryKey: [...filesKey(threadId), "then", message],
    queryFn: ({ signal }) => callJson(FilesThen, fileUrl(threadId, "/then", { message }), { signal }),
  });
}

/** The files a run has written after this many calls; refetched when it has made more, or has ended. */
export function runFilesQuery(runId: string, progress: { readonly calls: number; readonly hasEnded: boolean }) {
  return queryOptions({
    queryKey: ["runs", runId, "files", progress],
    queryFn: ({ signal }) => callJson(RunFiles, `/api/runs/${encodeURIComponent(runId)}/files`, { signal }),
    placeholderData: (before) => before,
  });
}

export function fileVersionsQuery(threadId: string, path: string) {
  return queryOptions({
    queryKey: [...filesKey(threadId), "versions", path],
    queryFn: async ({ signal }) =>
      (await callJson(FileVersionList, fileUrl(threadId, "/versions", { path }), { signal })).versions,
  });
}

/** The changes of `to` compared with the version before it; by default the latest. */
export function fileDiffQuery(threadId: string, path: string, to?: number) {
  return queryOptions({
    queryKey: [...filesKey(threadId), "diff", path, to],
    queryFn: ({ signal }) => callJson(FileDiff, fileUrl(threadId, "/diff", { path, to }), { signal }),
  });
}

export function fileBytesQuery(threadId: string, path: string) {
  return queryOptions({
    queryKey: [...filesKey(threadId), "bytes", path],
    queryFn: async ({ signal }) =>
      toPreview(path, await (await callApi(contentUrl(threadId, path), { signal })).blob()),
  });
}

/** The bytes of one version, which never change; for null, the current file's. */
export function versionBytesQuery(threadId: string, path: string, version: number | null) {
  return queryOptions({
    queryKey: [...filesKey(threadId), "version", path, version],
    queryFn: async ({ signal }) => (await callApi(contentUrl(threadId, path, version ?? undefined), { signal })).blob(),
    ...(version === null ? {} : { staleTime: Number.POSITIVE_INFINITY }),
  });
}

/** The text of a Word or Excel file, as an agent reads it; for null, of the current file. */
export function documentQuery(threadId: string, path: string, version: number | null) {
  return queryOptions({
    queryKey: [...filesKey(threadId), "text", path, version],
    queryFn: ({ signal }) =>
      callJson(DocumentReading, fileUrl(threadId, "/text", { path, version: version ?? undefined }), { signal }),
    ...(version === null ? {} : { staleTime: Number.POSITIVE_INFINITY }),
  });
}

/** A displayable form of one version. */
export function versionPreviewQuery(threadId: string, path: string, version: number) {
  return queryOptions({
    queryKey: [...filesKey(threadId), "preview", path, version],
    queryFn: async ({ signal }) =>
      toPreview(path, await (await callApi(contentUrl(threadId, path, version), { signal })).blob()),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** A page of the workspace, as its frame requests it. */
export function framedPageUrl(threadId: string, path: string, version: number | null): string {
  return `/api/frames/page${queryString({ thread: threadId, path, version: version ?? undefined })}`;
}

export function contentUrl(threadId: string, path: string, version?: number): string {
  return fileUrl(threadId, "/content", { path, version });
}

/** A zip of a folder and everything below it. */
export function archiveUrl(threadId: string, path: string): string {
  return fileUrl(threadId, "/archive", { path });
}

/** Replaces any file with the same path. */
export async function uploadFile(threadId: string, path: string, file: Blob): Promise<void> {
  await callApi(fileUrl(threadId, "", {}), { method: "PUT", body: contentForm(path, file) });
}

/** The form that writes a file. */
export function contentForm(path: string, file: Blob): FormData {
  const body = new FormData();
  body.set("path", path);
  body.set("file", file, path.slice(path.lastIndexOf("/") + 1));
  return body;
}

/** Deletes the file and returns the way to undo that. */
export async function deleteFile(threadId: string, path: string): Promise<() => Promise<void>> {
  const bytes = await (await callApi(contentUrl(threadId, path))).blob();
  await callApi(fileUrl(threadId, "", { path }), { method: "DELETE" });
  return () => uploadFile(threadId, path, bytes);
}

export type FilePreview =
  | { readonly kind: "text" | "markdown"; readonly text: string }
  | { readonly kind: "image" | "pdf"; readonly blob: Blob }
  | { readonly kind: "none"; readonly reason: string };

const LARGEST_TEXT_BYTES = 1_000_000;
const IMAGE_TYPES = new Map([
  ["png", "image/png"],
  ["jpg", "image/jpeg"],
  ["jpeg", "image/jpeg"],
  ["gif", "image/gif"],
  ["webp", "image/webp"],
  ["avif", "image/avif"],
  ["bmp", "image/bmp"],
]);

/** The text including its byte order mark, if any, so that the mark survives when the text is written again. */
export async function readUtf8(bytes: Blob): Promise<string> {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await bytes.arrayBuffer());
}

/** The server sends bytes without a type, so that none ever runs; here they are only displayed. */
export async function toPreview(path: string, bytes: Blob): Promise<FilePreview> {
  const extension = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  const imageType = IMAGE_TYPES.get(extension);
  if (imageType !== undefined) return { kind: "image", blob: bytes.slice(0, bytes.size, imageType) };
  if (extension === "pdf") return { kind: "pdf", blob: bytes };
  if (bytes.size > LARGEST_TEXT_BYTES) return { kind: "none", reason: "The file is too large to show. Download it." };
  try {
    const text = await readUtf8(bytes);
    if (!text.includes("\0"))
      return { kind: extension === "md" || extension === "markdown" ? "markdown" : "text", text };
  } catch {
    // Not UTF-8: nothing to read here either.
  }
  return { kind: "none", reason: "The file is not text. Download it." };
}
