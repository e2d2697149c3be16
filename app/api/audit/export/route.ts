import { Readable } from "node:stream";
import { AuditExportQuery } from "@/lib/schema/audit";
import { exportAudit } from "@/lib/server/audit/audit-log";
import { download } from "@/lib/server/http/reply";
import { webStream } from "@/lib/server/http/web-stream";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "admin",
    query: AuditExportQuery,
    produces: "application/x-ndjson",
    summary: "The audit log as a file of JSON lines, oldest first",
  },
  ({ services, query }) => {
    const fileName = `audit-${new Date().toISOString().slice(0, 10)}.ndjson`;
    const lines = Readable.from(exportAudit(services.database, query)).map((line: string) => Buffer.from(line));
    return download(webStream(lines), { fileName, contentType: "application/x-ndjson" });
  },
);
