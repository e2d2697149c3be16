import { ApiError, callJson, queryString, toApiError, unreachable } from "@/lib/client/http/api";
import { FileList } from "@/lib/schema/files/workspace-file";
import type { AttachedFile } from "@/lib/schema/messages/attached-files";
import { ATTACHED_FOLDER, uniqueName } from "./attached-files";
import { contentForm } from "./file-queries";
import { tellProgress } from "./upload-progress";

/** Uploads a message's files into the thread's workspace, each under a unique name. */
export async function uploadAttached(threadId: string, files: readonly File[]): Promise<readonly AttachedFile[]> {
  if (files.length === 0) return [];
  const taken = await namesInUploads(threadId);
  const attached: AttachedFile[] = [];
  for (const file of files) {
    const name = uniqueName(file.name, taken);
    taken.add(name);
    const path = `${ATTACHED_FOLDER}/${name}`;
    try {
      await upload(threadId, path, file);
    } finally {
      tellProgress(null);
    }
    attached.push({ path, sizeBytes: file.size });
  }
  return attached;
}

/** `fetch` does not report how much of a body has been sent. */
function upload(threadId: string, path: string, file: File): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const request = new XMLHttpRequest();
  request.upload.onprogress = ({ loaded, total }) =>
    tellProgress({ name: file.name, sentBytes: loaded, totalBytes: total });
  request.onload = () => {
    if (request.status < 300) return resolve();
    toApiError(new Response(request.responseText, { status: request.status })).then(reject, reject);
  };
  request.onerror = () => reject(unreachable());
  request.open("PUT", `/api/threads/${encodeURIComponent(threadId)}/files`);
  request.setRequestHeader("accept", "application/json");
  request.send(contentForm(path, file));
  return promise;
}

/** Lists the parent folder first: before the first upload the folder does not exist. */
async function namesInUploads(threadId: string): Promise<Set<string>> {
  const { entries, omitted } = await list(threadId, "");
  const isThere = omitted !== undefined || entries.some(({ name }) => name === ATTACHED_FOLDER);
  const uploads = isThere ? await list(threadId, ATTACHED_FOLDER).catch(nothingThere) : NOTHING;
  return new Set(uploads.entries.map(({ name }) => name));
}

function list(threadId: string, path: string): Promise<FileList> {
  return callJson(FileList, `/api/threads/${encodeURIComponent(threadId)}/files${queryString({ path })}`);
}

const NOTHING: FileList = { path: ATTACHED_FOLDER, entries: [] };

/** If the listing is cut short, the folder may still be missing. */
function nothingThere(error: unknown): FileList {
  if (error instanceof ApiError && error.status === 404) return NOTHING;
  throw error;
}
