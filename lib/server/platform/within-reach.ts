import { z } from "zod";
import { AppError } from "@/lib/schema/app-error";
import { hasAdminScope, type Reader, type Viewer } from "@/lib/schema/users/user";

/**
 * What a key that is limited to some agents reaches, beside the owner in every query for objects of theirs: to such a
 * key, whatever belongs to another agent does not exist. Without a limit, all of these are empty.
 */
type Reach = Pick<Reader, "reach">;

/** Threads and traces belong to the agent of the root run's thread, whoever was called in or took over. */
export function homeInReach({ reach }: Reach) {
  if (!reach) return {};
  const agentIds = [...reach];
  return { AND: [{ OR: [{ homeAgentId: null, agentId: { in: agentIds } }, { homeAgentId: { in: agentIds } }] }] };
}

/** Runs belong where their thread does; what belongs to a run is looked up by `run: runInReach(…)`. */
export function runInReach(reader: Reach) {
  return reader.reach ? { thread: homeInReach(reader) } : {};
}

/** Deliveries belong where their run does; a test has none. */
export function deliveryInReach({ reach }: Reach) {
  return reach ? { homeAgentId: { in: [...reach] } } : {};
}

/** What names one agent itself, such as a linked chat. */
export function agentInReach({ reach }: Reach) {
  return reach ? { agentId: { in: [...reach] } } : {};
}

/** What a person owns with one agent, such as a schedule; everybody's for administrators. */
export function ownedBy(viewer: Pick<Viewer, "id" | "scopes" | "reach">) {
  return { ...(hasAdminScope(viewer) ? {} : { ownerId: viewer.id }), ...agentInReach(viewer) };
}

/** Whether all of these agents are in reach. */
export function areInReach({ reach }: Reach, agentIds: readonly string[]): boolean {
  return reach === undefined || agentIds.every((id) => reach.includes(id));
}

/** Boards belong to all of their agents, the lead's and the members'. */
export function isTeamInReach(
  reader: Reach,
  { leadAgentId, members }: { readonly leadAgentId: string | null; readonly members: string },
): boolean {
  if (reader.reach === undefined) return true;
  return areInReach(reader, [...(leadAgentId === null ? [] : [leadAgentId]), ...AgentIds.parse(JSON.parse(members))]);
}

const AgentIds = z.array(z.string());

/**
 * For what concerns a person with all of their agents, such as where they get notices: refused to keys that are limited
 * to some agents. Throws `forbidden`.
 */
export function requireWholePerson({ reach }: Reach): void {
  if (!reach) return;
  throw new AppError("forbidden", "This key is limited to some agents, and this concerns all of them.");
}
