import { ProblemList, ProblemQuery } from "@/lib/schema/traces/problem";
import { json } from "@/lib/server/http/reply";
import { listProblems } from "@/lib/server/traces/problems/problems";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    query: ProblemQuery,
    reply: ProblemList,
    summary:
      "Failures of the last 28 days that are alike, latest first; others than administrators see their own runs'",
  },
  async ({ services, viewer, query }) => json(await listProblems(services, viewer, query), { schema: ProblemList }),
);
