import { AuditList, AuditQuery } from "@/lib/schema/audit";
import { listAudit } from "@/lib/server/audit/audit-log";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "admin", query: AuditQuery, reply: AuditList, summary: "Who changed what, newest first" },
  async ({ services, query }) => json(await listAudit(services.database, query), { schema: AuditList }),
);
