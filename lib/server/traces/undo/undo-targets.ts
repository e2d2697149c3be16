import { z } from "zod";
import type { Database } from "@/lib/server/platform/db/database";

/** How the ids of undos begin, and with them those of their messages. */
export const UNDO_PREFIX = "undo_";

/** A file of a workspace that an undo changes; hashes are SHA-256 of the content, null for no file. */
const FileTarget = z.object({
  workspaceId: z.string(),
  /** The run of the tree whose files they are. */
  runId: z.string(),
  path: z.string(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  action: z.enum(["restore", "delete", "keep_both"]),
});
export type FileTarget = z.infer<typeof FileTarget>;

/** What an undo changes, as its row keeps it. */
export const UndoTargets = z.object({
  files: z.array(FileTarget),
  /** The plan that the run left, and that of before it; both JSON. */
  todos: z.object({ from: z.string(), to: z.string() }).nullable(),
  /** What the thread's line says after the person's name. */
  words: z.string(),
  /** The same for taking it back. */
  backWords: z.string(),
  /** The run at whose end the lines stand. */
  lineRunId: z.string(),
});
export type UndoTargets = z.infer<typeof UndoTargets>;

/** The same targets the other way round. */
export function reversed(targets: readonly FileTarget[]): FileTarget[] {
  return targets.map(({ from, to, ...target }) => ({ ...target, from: to, to: from })).toReversed();
}

/** The plan that a run left, as JSON, if it has been undone since; null otherwise. */
export async function todosBeforeUndo(database: Database, runId: string): Promise<string | null> {
  const undo = await database.undo.findFirst({ where: { runId, state: "done" }, select: { targets: true } });
  return undo === null ? null : (UndoTargets.parse(JSON.parse(undo.targets)).todos?.from ?? null);
}
