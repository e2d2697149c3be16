import { AuditList, AuditQuery } from "@/lib/schema/audit";
import { listAudit } from "@/lib/server/audit/audit-log";
import { json } from "@/lib/server/http/reply";
import { processServices } from "@/lib/server/platform/services";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "admin", query: AuditQuery, reply: AuditList, summary: "Who changed what, newest first" },
  async ({ query }) => json(await listAudit(processServices(), query), { schema: AuditList }),
);
