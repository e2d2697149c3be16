import "server-only";
import type { Viewer } from "@/lib/schema/users/user";
import { writeAudit } from "@/lib/server/audit/audit-log";
import { announceExtensions } from "@/lib/server/engine/log/signals";
import type { Services } from "@/lib/server/platform/services";
import { loadExtensions } from "./extensions";

/** Reloads the extensions in this process and in all others on the same database. */
export async function reloadExtensions(services: Services, viewer: Viewer): Promise<void> {
  const { files } = await loadExtensions();
  announceExtensions();
  const failed = files.filter(({ error }) => error !== null).map(({ file }) => file);
  const details = { files: files.map(({ file, hash }) => `${file} ${hash}`), failed };
  await writeAudit(services, {
    actorId: viewer.id,
    action: "extensions.reloaded",
    target: "extensions",
    details,
  });
}
