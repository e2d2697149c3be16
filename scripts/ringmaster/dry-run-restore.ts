import { DryRun } from "@/lib/schema/settings/backup";

type CallServer = (method: string, url: string, body?: unknown) => Promise<unknown>;

/** Asks the server whether the backup at that path can be restored; changes nothing. */
export async function dryRunRestore(
  call: CallServer,
  file: string,
): Promise<{ lines: readonly string[]; ok: boolean }> {
  const found = DryRun.parse(await call("POST", "/api/backup/dry-run", { path: file }));
  if (!found.ok) return { lines: ["This backup can't be restored as it is.", ...found.problems], ok: false };
  const { facts, counts, files, migrations } = found;
  const lines = [
    `This backup can be restored. Made ${facts?.createdAt ?? "at an unknown time"} by version ${facts?.version ?? "unknown"}.`,
    ...(counts
      ? [`${counts.people} people, ${counts.agents} agents, ${counts.threads} threads, ${counts.runs} runs.`]
      : []),
    `${files} files and folders; ${migrations.missing} migrations would be applied at the start. Nothing was changed.`,
  ];
  return { lines, ok: true };
}
