import { DryRun, DryRunBody } from "@/lib/schema/settings/backup";
import { json } from "@/lib/server/http/reply";
import { readDryRun } from "@/lib/server/status/backup/read-dry-run";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "admin",
    bodyDocument: DryRunBody,
    reply: DryRun,
    summary: "Whether a restore would work: {path} on the server, or the .tar.gz itself as the body. Changes nothing",
  },
  async ({ request }) => json(await readDryRun(request), { schema: DryRun }),
);
