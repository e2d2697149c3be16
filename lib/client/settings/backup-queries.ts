import { queryOptions } from "@tanstack/react-query";
import { callApi, callJson } from "@/lib/client/http/api";
import { BackupState, DryRun } from "@/lib/schema/settings/backup";

const WHILE_RUNNING_MS = 500;

/** The kept backups; polled frequently while one is being made. */
export const backupQuery = queryOptions({
  queryKey: ["backup"],
  queryFn: ({ signal }) => callJson(BackupState, "/api/backup", { signal }),
  refetchInterval: ({ state }) => (state.data?.running ? WHILE_RUNNING_MS : false),
});

export function backUpNow(): Promise<BackupState> {
  return callJson(BackupState, "/api/backup/run", { method: "POST" });
}

/** A dry run of an archive on the server, or of one from this computer. */
export async function tryRestore(from: { readonly path: string } | File): Promise<DryRun> {
  if (!(from instanceof File)) return callJson(DryRun, "/api/backup/dry-run", { method: "POST", body: from });
  const reply = await callApi("/api/backup/dry-run", { method: "POST", file: from });
  return DryRun.parse(await reply.json());
}

export const backupUrl = (name: string) => `/api/backup/files/${encodeURIComponent(name)}`;
