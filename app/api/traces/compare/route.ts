import { ComparedRuns, CompareQuery } from "@/lib/schema/traces/compare-runs";
import { json } from "@/lib/server/http/reply";
import { compareRuns } from "@/lib/server/traces/compare/compare-runs";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    query: CompareQuery,
    reply: ComparedRuns,
    summary: "Two runs side by side: steps, calls, texts, tokens, cost and time, and where they first part",
  },
  async ({ services, query, viewer }) => json(await compareRuns(services, viewer, query), { schema: ComparedRuns }),
);
