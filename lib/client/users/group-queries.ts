import { queryOptions } from "@tanstack/react-query";
import { callApi, callJson, queryString } from "@/lib/client/http/api";
import { CreatedLink, InvitationList } from "@/lib/schema/users/account-link";
import { type CreateGroupBody, Group, GroupList, type UpdateGroupBody } from "@/lib/schema/users/group";

const MOST_AT_ONCE = 200;

export const groupsQuery = queryOptions({
  queryKey: ["groups"],
  queryFn: async ({ signal }) => {
    const found: Group[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page: GroupList = await callJson(GroupList, `/api/groups${queryString({ limit: MOST_AT_ONCE, cursor })}`, {
        signal,
      });
      found.push(...page.groups);
      cursor = page.nextCursor;
    }
    return found;
  },
});

/** The names of the groups that an agent is limited to, by agent. */
export function groupNamesByAgent(groups: readonly Group[] = []): ReadonlyMap<string, string[]> {
  const names = new Map<string, string[]>();
  for (const { name, agents } of groups) {
    for (const agentId of agents) names.set(agentId, [...(names.get(agentId) ?? []), name]);
  }
  return names;
}

export function createGroup(body: CreateGroupBody): Promise<Group> {
  return callJson(Group, "/api/groups", { method: "POST", body });
}

export function updateGroup(id: string, body: UpdateGroupBody): Promise<Group> {
  return callJson(Group, `/api/groups/${encodeURIComponent(id)}`, { method: "PATCH", body });
}

/** `open` accepts that agents in no other group become available to everybody. */
export async function deleteGroup({ id, open }: { id: string; open: boolean }): Promise<void> {
  await callApi(`/api/groups/${encodeURIComponent(id)}`, { method: "DELETE", body: { open } });
}

export const invitationsQuery = queryOptions({
  queryKey: ["invitations"],
  queryFn: async ({ signal }) => (await callJson(InvitationList, "/api/invitations", { signal })).invitations,
});

export async function revokeInvitation(id: string): Promise<void> {
  await callApi(`/api/invitations/${encodeURIComponent(id)}`, { method: "DELETE" });
}

export function renewInvitation(id: string): Promise<CreatedLink> {
  return callJson(CreatedLink, `/api/invitations/${encodeURIComponent(id)}/renew`, { method: "POST" });
}
