import { WorkspaceError } from "@/lib/agent/workspace/workspace";
import type { WorkspaceLimits } from "./limits";

/** Throws if a file is larger than the file tools may write. */
export function checkFileSize(path: string, sizeBytes: number, limits: WorkspaceLimits): void {
  if (sizeBytes <= limits.fileBytes) return;
  const message = `${path} would have ${sizeBytes} bytes; a file may have ${limits.fileBytes}. Write several files.`;
  throw new WorkspaceError("too_large", message);
}

/** The error for anything that would grow a full workspace. */
export function quotaError(limits: WorkspaceLimits): WorkspaceError {
  return new WorkspaceError("quota", quotaNotice(limits));
}

export function quotaNotice(limits: WorkspaceLimits): string {
  const megabytes = Math.round(limits.quotaBytes / 2 ** 20);
  return `The workspace is over its quota of ${megabytes} MB: nothing can be written until files are deleted.`;
}

/** The notice for a command that would have filled the disk. */
export const DISK_NOTICE =
  "The disk of the server is almost full: nothing large can be written until space is freed there.";
