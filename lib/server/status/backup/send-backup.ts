import "server-only";
import { createReadStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import type { Viewer } from "@/lib/schema/users/user";
import { writeAudit } from "@/lib/server/audit/audit-log";
import { webStream } from "@/lib/server/http/web-stream";
import { STAGING_PREFIX } from "@/lib/server/platform/data-directory";
import { env } from "@/lib/server/platform/env";
import type { Services } from "@/lib/server/platform/services";
import { backupName, findBackup } from "./kept-backups";
import { makeBackup } from "./make-backup";

interface BackupFile {
  readonly fileName: string;
  readonly content: ReadableStream<Uint8Array>;
}

/** A backup created now for download; nothing of it stays here. */
export async function sendNewBackup(services: Services, viewer: Viewer): Promise<BackupFile> {
  const fileName = backupName(new Date());
  const folder = await mkdtemp(path.join(env().dataDirectory, STAGING_PREFIX));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    await writeAudit(services, {
      actorId: viewer.id,
      action: "backup.downloaded",
      target: `backup:${fileName}`,
    });
    await makeBackup(services, path.join(folder, fileName));
  } catch (error) {
    await remove();
    throw error;
  }
  const file = createReadStream(path.join(folder, fileName)).once("close", () => void remove());
  return { fileName, content: webStream(file) };
}

/** A kept backup. Throws `not_found`. */
export async function sendKeptBackup(services: Services, name: string, viewer: Viewer): Promise<BackupFile> {
  const file = await findBackup(name);
  await writeAudit(services, { actorId: viewer.id, action: "backup.downloaded", target: `backup:${name}` });
  return { fileName: name, content: webStream(createReadStream(file)) };
}
