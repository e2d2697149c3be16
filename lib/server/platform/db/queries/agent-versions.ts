import { build } from "@/lib/server/platform/db/kysely/build";
import { type Changes, insertRow, type NewRow, updateRows } from "@/lib/server/platform/db/kysely/row-statements";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";

export function insertAgentStatement(agent: NewRow<"agent">): SqlStatement {
  return insertRow("agent", agent);
}

/** Fails the list of statements if there is no such agent. */
export function changeAgentStatement(id: string, columns: Changes<"agent">): SqlStatement {
  return { ...updateRows("agent", { id }, columns), mustChange: true };
}

/** Fails the list of statements if the agent has a version of that number. */
export function insertVersionStatements(
  version: NewRow<"agent_version">,
  files: readonly { readonly name: string; readonly content: string }[],
): SqlStatement[] {
  return [
    insertRow("agent_version", version),
    ...files.map(({ name, content }) => insertRow("agent_version_file", { agentVersionId: version.id, name, content })),
  ];
}

export function insertGroupAgentStatement(groupId: string, agentId: string): SqlStatement {
  return insertRow("group_agent", { groupId, agentId });
}

/** Ends an agent's draft, if it has one. */
export function endDraftStatement(agentId: string, endedAt: Date): SqlStatement {
  return build
    .updateTable("agent_draft")
    .set({ endedAt })
    .where("agentId", "=", agentId)
    .where("endedAt", "is", null)
    .compile();
}

export function insertDraftStatement(draft: NewRow<"agent_draft">): SqlStatement {
  return insertRow("agent_draft", draft);
}
