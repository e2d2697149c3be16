import { z } from "zod";

/** POST /api/runs/{id}/undo: first `{preview: true}`, then the token of what was shown. */
export const UndoRunBody = z.union([
  z.strictObject({ preview: z.literal(true) }),
  z.strictObject({ token: z.string().min(1).max(100) }),
]);
export type UndoRunBody = z.infer<typeof UndoRunBody>;

/**
 * restore: the text from before the run comes back; delete: the run made it; keep_both: somebody changed it since, and
 * what was before the run is put beside it; leave: nothing happens, for the reason given.
 */
const UndoAction = z.enum(["restore", "delete", "keep_both", "leave"]);
export type UndoAction = z.infer<typeof UndoAction>;

const UndoFile = z.object({
  path: z.string(),
  /** Whose files they are, where that is another agent's than the run's. */
  agentId: z.string().optional(),
  action: UndoAction,
  /** In words, for the person; absent where the action says it all. */
  reason: z.string().optional(),
});
export type UndoFile = z.infer<typeof UndoFile>;

/** A call that may have reached another system. */
const CannotUndo = z.object({
  toolCallId: z.string(),
  tool: z.string(),
  /** Null for whoever may not see the run's arguments. */
  gist: z.string().nullable(),
  /** In words: a person, a permission, a rule, a mode; null if it is not known. */
  allowedBy: z.string().nullable(),
});
export type CannotUndo = z.infer<typeof CannotUndo>;

/** What undoing a run would do. `token` names exactly this; it is refused once something of it has changed. */
export const UndoPreview = z.object({
  token: z.string(),
  /** All of it in one sentence. */
  sentence: z.string(),
  /** False where nothing of the run would change. */
  canUndo: z.boolean(),
  files: z.array(UndoFile),
  /** Memory documents, likewise. */
  memory: z.array(UndoFile),
  /** Whether the plan becomes what it was before the run. */
  todos: z.boolean(),
  cannotUndo: z.array(CannotUndo),
  /** False for a run whose calls were not recorded then, or are no longer kept: what they reached is not known. */
  callsKnown: z.boolean(),
});
export type UndoPreview = z.infer<typeof UndoPreview>;

/** An undo as it is now; `at` is ISO 8601. */
export const UndoneRun = z.object({
  runId: z.string(),
  state: z.enum(["done", "taken_back"]),
  /** What came back, and what could not. */
  text: z.string(),
  at: z.string(),
});
export type UndoneRun = z.infer<typeof UndoneRun>;
