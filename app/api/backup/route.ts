import { BackupState } from "@/lib/schema/settings/backup";
import { download, json } from "@/lib/server/http/reply";
import { getBackupState } from "@/lib/server/status/backup/kept-backups";
import { sendNewBackup } from "@/lib/server/status/backup/send-backup";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "admin", reply: BackupState, summary: "The backups that are kept, and the one that is being made" },
  async ({ services }) => json(await getBackupState(services), { schema: BackupState }),
);

export const POST = defineRoute(
  {
    access: "admin",
    produces: "application/gzip",
    summary: "A backup made now, as a .tar.gz with the database and the workspaces, without the secret",
  },
  async ({ services, viewer }) => {
    const { content, fileName } = await sendNewBackup(services, viewer);
    return download(content, { fileName, contentType: "application/gzip" });
  },
);
