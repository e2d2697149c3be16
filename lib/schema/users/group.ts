import { z } from "zod";
import { AgentId } from "@/lib/schema/agents/agent-id";
import { plainText } from "@/lib/schema/plain-text";
import { Role } from "./user";

/** People, and the agents that only people in one of their groups can reach. */
export const Group = z.object({
  id: z.string(),
  name: z.string(),
  /** Ids of users, and of agents. */
  members: z.array(z.string()),
  agents: z.array(z.string()),
  /** The lowest role that its members have; null: the group changes no role. */
  roleFloor: Role.nullable(),
  createdAt: z.string(),
});
export type Group = z.infer<typeof Group>;

export const GroupList = z.object({ groups: z.array(Group), nextCursor: z.string().nullable() });
export type GroupList = z.infer<typeof GroupList>;

const GroupName = plainText(80);
const Members = z.array(z.string().min(1).max(100)).max(10_000);
const Agents = z.array(AgentId).max(1_000);

export const CreateGroupBody = z.strictObject({
  name: GroupName,
  members: Members.default([]),
  agents: Agents.default([]),
  roleFloor: Role.nullable().default(null),
});
export type CreateGroupBody = z.infer<typeof CreateGroupBody>;

/**
 * Lists are replaced as a whole. `open: true` accepts that an agent leaving its last group becomes available to
 * everybody.
 */
export const UpdateGroupBody = z.strictObject({
  name: GroupName.optional(),
  members: Members.optional(),
  agents: Agents.optional(),
  roleFloor: Role.nullable().optional(),
  open: z.boolean().optional(),
});
export type UpdateGroupBody = z.infer<typeof UpdateGroupBody>;

/** DELETE `/api/groups/{id}`, in the query or the body. */
export const DeleteGroupQuery = z.strictObject({ open: z.enum(["true", "false"]).optional() });
export const DeleteGroupBody = z.strictObject({ open: z.boolean().optional() }).optional();

/** The ids of groups that a new person joins. */
export const GroupIds = z.array(z.string().min(1).max(100)).max(100);
