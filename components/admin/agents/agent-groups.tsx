"use client";
import { useQuery } from "@tanstack/react-query";
import { Tag } from "@/components/ui/tag";
import { groupNamesByAgent, groupsQuery } from "@/lib/client/users/group-queries";

/** The groups that may use the agent; nothing if everybody may. */
export function AgentGroups({ agentId }: { agentId: string }) {
  const groups = useQuery(groupsQuery);
  const names = groupNamesByAgent(groups.data).get(agentId);
  if (names === undefined) return null;
  return (
    <Tag title={`Only ${names.join(", ")} and administrators can use it. Change this under People, Groups.`}>
      only {names.length === 1 ? names[0] : `${names.length} groups`}
    </Tag>
  );
}
