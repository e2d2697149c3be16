import { z } from "zod";
import { download } from "@/lib/server/http/reply";
import { sendKeptBackup } from "@/lib/server/status/backup/send-backup";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "admin",
    params: z.object({ name: z.string().max(100) }),
    produces: "application/gzip",
    summary: "One of the backups that are kept",
  },
  async ({ services, viewer, params }) => {
    const { content, fileName } = await sendKeptBackup(services, params.name, viewer);
    return download(content, { fileName, contentType: "application/gzip" });
  },
);
