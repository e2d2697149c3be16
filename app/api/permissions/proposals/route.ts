import { ProposalList, ProposalQuery } from "@/lib/schema/permissions/proposals";
import { json } from "@/lib/server/http/reply";
import { listProposals } from "@/lib/server/traces/proposals/proposals";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "admin",
    query: ProposalQuery,
    reply: ProposalList,
    summary: "Allow rules for calls of an agent that people allowed five times or more and never denied",
  },
  async ({ services, query: { agentId }, viewer }) =>
    json(await listProposals(services, viewer, agentId), { schema: ProposalList }),
);
