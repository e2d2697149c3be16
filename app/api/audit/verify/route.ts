import { AuditCheck } from "@/lib/schema/audit";
import { checkChain } from "@/lib/server/audit/audit-chain";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "admin", reply: AuditCheck, summary: "Whether an entry of the audit log was changed or removed" },
  async ({ services }) => json(await checkChain(services.database), { schema: AuditCheck }),
);
