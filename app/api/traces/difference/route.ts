import { DifferenceQuery, Differences } from "@/lib/schema/traces/difference";
import { json } from "@/lib/server/http/reply";
import { findDifferences } from "@/lib/server/traces/difference/difference";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "read",
    body: DifferenceQuery,
    reply: Differences,
    summary: "What is different about some runs: the facets whose shares are farthest from those of the others",
  },
  async ({ services, body, viewer }) => json(await findDifferences(services, viewer, body), { schema: Differences }),
);
