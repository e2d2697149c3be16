import "server-only";
import { AppError } from "@/lib/schema/app-error";
import { AskOutcome } from "@/lib/schema/inbox/ask-outcome";
import { type ApprovalRow, toInterrupt } from "@/lib/server/engine/asks/approval-row";
import type { Database } from "@/lib/server/platform/db/database";
import { userNames } from "@/lib/server/users/user-names";
import { type Asked, askedOf } from "./list-approvals";

/** What became of an ask that was in the viewer's inbox, and who decided it. Throws `not_found`. */
export async function findOutcome(database: Database, id: string, viewer: Asked): Promise<AskOutcome> {
  const row = await database.approval.findFirst({ where: { AND: [{ id }, askedOf(viewer)] } });
  if (!row) throw new AppError("not_found", "There is no such ask.");
  const [names, pattern] = await Promise.all([userNames(database, [row.decidedBy]), patternOf(database, row)]);
  return toOutcome(row, { decidedBy: names.get(row.decidedBy ?? "") ?? null, pattern });
}

/** The first words of the commands that were allowed along with this one; the grant that was made with it has them. */
async function patternOf(
  database: Database,
  { scope, grantId, ownerId, tool, decidedAt }: ApprovalRow,
): Promise<string | null> {
  if (scope !== "pattern" || decidedAt === null) return null;
  const named = { ownerId, tool, createdAt: decidedAt, pattern: { not: null } };
  // A decision from before grants were named was made at the time of its grant.
  const made = grantId === null ? named : { id: grantId };
  return (await database.grant.findFirst({ where: made, select: { pattern: true } }))?.pattern ?? null;
}

interface OutcomeLabels {
  readonly decidedBy: string | null;
  readonly pattern: string | null;
}

function toOutcome(row: ApprovalRow, { decidedBy, pattern }: OutcomeLabels): AskOutcome {
  const { kind, status, scope, note, decidedVia, decidedAt, createdAt } = row;
  const given = {
    ...givenArgs(row),
    ...(row.answers === null ? {} : { answers: JSON.parse(row.answers) }),
    ...(scope === null ? {} : { scope }),
    ...(pattern === null ? {} : { pattern }),
    ...(note === null ? {} : { note }),
  };
  const decided = {
    ...(decidedBy === null ? {} : { decidedBy }),
    ...(decidedVia === null ? {} : { decidedVia }),
    ...(decidedAt === null ? {} : { decidedAtMs: decidedAt.getTime() }),
  };
  const { reason = "", ...asked } = toInterrupt(row);
  return AskOutcome.parse({
    kind,
    data: { ...asked, reason, status, requestedAtMs: createdAt.getTime(), ...given, ...decided },
  });
}

/** The arguments of the decision: those that the call ran with instead, or what was added to a budget. */
function givenArgs({ kind, status, editedArgs }: ApprovalRow): object {
  if (editedArgs === null) return {};
  if (kind !== "budget") return { editedArgs: JSON.parse(editedArgs) };
  return status === "approved" ? { added: JSON.parse(editedArgs) } : {};
}
