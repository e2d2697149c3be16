import { z } from "zod";
import { Proposal, ProposalBody, ProposalId } from "@/lib/schema/permissions/proposals";
import { json } from "@/lib/server/http/reply";
import { decideProposal } from "@/lib/server/traces/proposals/proposals";
import { defineRoute } from "@/lib/server/wiring/route";

export const PATCH = defineRoute(
  {
    access: "admin",
    params: z.object({ id: ProposalId }),
    body: ProposalBody,
    reply: Proposal,
    summary: "Adds a proposed rule to the agent's draft, or dismisses the proposal for good",
  },
  async ({ services, params: { id }, body, viewer }) =>
    json(await decideProposal(services, viewer, id, body), { schema: Proposal }),
);
