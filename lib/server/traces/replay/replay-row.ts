import "server-only";
import { AppError } from "@/lib/schema/app-error";
import { ReplayChanges, ReplayTools } from "@/lib/schema/traces/replay";
import type { Database } from "@/lib/server/platform/db/database";

type Row = NonNullable<Awaited<ReturnType<Database["replay"]["findUnique"]>>>;

/** A replay as it is stored. */
export interface StoredReplay extends Omit<Row, "changes" | "tools"> {
  /** Empty for a control. */
  readonly changes: ReplayChanges;
  readonly isUnchanged: boolean;
  readonly tools: ReplayTools;
}

export function toReplay({ changes, tools, ...row }: Row): StoredReplay {
  return {
    ...row,
    changes: changes === null ? {} : ReplayChanges.parse(JSON.parse(changes)),
    isUnchanged: changes === null,
    tools: ReplayTools.parse(JSON.parse(tools)),
  };
}

/** Throws `not_found`. */
export async function requireReplay(db: Database, id: string): Promise<StoredReplay> {
  const row = await db.replay.findUnique({ where: { id } });
  if (!row) throw new AppError("not_found", "There is no such replay.");
  return toReplay(row);
}
