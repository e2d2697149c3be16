import { FacetList, FacetQuery } from "@/lib/schema/traces/trace";
import { json } from "@/lib/server/http/reply";
import { listFacets } from "@/lib/server/traces/list/list-facets";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    query: FacetQuery,
    summary: "Count traces per status, agent, tool and other facets, under the filters of the list",
    reply: FacetList,
  },
  async ({ services, viewer, query }) => json(await listFacets(services, viewer, query)),
);
