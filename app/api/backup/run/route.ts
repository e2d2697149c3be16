import { BackupState } from "@/lib/schema/settings/backup";
import { writeAudit } from "@/lib/server/audit/audit-log";
import { json } from "@/lib/server/http/reply";
import { backUpNow, getBackupState } from "@/lib/server/status/backup/kept-backups";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "admin",
    reply: BackupState,
    status: 201,
    summary: "Make a backup in the folder of the settings; answers when it is there",
  },
  async ({ services, viewer }) => {
    await backUpNow(services, new Date(), (name) =>
      writeAudit(services, { actorId: viewer.id, action: "backup.made", target: `backup:${name}` }),
    );
    return json(await getBackupState(services), { status: 201, schema: BackupState });
  },
);
