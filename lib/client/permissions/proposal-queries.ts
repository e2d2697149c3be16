import { queryOptions } from "@tanstack/react-query";
import { callJson, queryString } from "@/lib/client/http/api";
import { TRACES_KEY } from "@/lib/client/http/query-keys";
import { Proposal, ProposalList } from "@/lib/schema/permissions/proposals";

const STALE_MS = 60_000;
const URL = "/api/permissions/proposals";

/** Rules that people's decisions about an agent's calls suggest. */
export function proposalsQuery(agentId: string) {
  return queryOptions({
    queryKey: [...TRACES_KEY, "proposals", agentId],
    queryFn: async ({ signal }) =>
      (await callJson(ProposalList, `${URL}${queryString({ agentId })}`, { signal })).proposals,
    staleTime: STALE_MS,
  });
}

/** For good. */
export function dismissProposal(id: string): Promise<Proposal> {
  return callJson(Proposal, `${URL}/${encodeURIComponent(id)}`, { method: "PATCH", body: { state: "dismissed" } });
}
