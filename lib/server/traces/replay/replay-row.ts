import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/schema/app-error";
import { ReplayChanges } from "@/lib/schema/traces/replay";
import { ReplayTools } from "@/lib/schema/traces/replay-tools";
import type { Database } from "@/lib/server/platform/db/database";

type Row = NonNullable<Awaited<ReturnType<Database["replay"]["findUnique"]>>>;

/** The column `tools`: how calls are answered, and what was said with that. Rows from earlier have less. */
const StoredTools = ReplayTools.extend({
  confirmLive: z.array(z.string()).default([]),
  reuse_decisions: z.boolean().default(false),
});
export type StoredTools = z.infer<typeof StoredTools>;

/** A replay as it is stored. */
export interface StoredReplay extends Omit<Row, "changes" | "tools"> {
  /** Empty for a control. */
  readonly changes: ReplayChanges;
  readonly isUnchanged: boolean;
  readonly tools: StoredTools;
}

export function toReplay({ changes, tools, ...row }: Row): StoredReplay {
  return {
    ...row,
    changes: changes === null ? {} : ReplayChanges.parse(JSON.parse(changes)),
    isUnchanged: changes === null,
    tools: StoredTools.parse(JSON.parse(tools)),
  };
}

/** Throws `not_found`. */
export async function requireReplay(db: Database, id: string): Promise<StoredReplay> {
  const row = await db.replay.findUnique({ where: { id } });
  if (!row) throw new AppError("not_found", "There is no such replay.");
  return toReplay(row);
}
