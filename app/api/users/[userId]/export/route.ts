import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { exportUser } from "@/lib/server/file-access/export-user";
import { download } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "admin",
    params: z.object({ userId: RowId }),
    produces: "application/zip",
    summary: "A zip of everything that is a user's: account, threads, memory and files",
  },
  async ({ services, params: { userId }, viewer }) => {
    const { name, content } = await exportUser(services, userId, viewer);
    return download(content, { fileName: `${name}.zip`, contentType: "application/zip" });
  },
);
