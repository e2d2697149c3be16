import { UsageQuery, UsageReport } from "@/lib/schema/usage/usage-report";
import { download, json } from "@/lib/server/http/reply";
import { usageCsv } from "@/lib/server/usage/usage-csv";
import { reportUsage } from "@/lib/server/usage/usage-report";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "admin",
    query: UsageQuery,
    reply: UsageReport,
    produces: "text/csv",
    summary: "What was used in a period, by one or two dimensions, as JSON or CSV",
  },
  async ({ services, query }) => {
    const report = await reportUsage(services.database, query);
    if (query.format === "json") return json(report, { schema: UsageReport });
    const fileName = `usage-${report.from.slice(0, 10)}-${report.to.slice(0, 10)}.csv`;
    return download(usageCsv(report, query.by), { fileName, contentType: "text/csv; charset=utf-8" });
  },
);
