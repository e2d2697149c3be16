/**
 * The library of schemas with the smallest of them, then larger ones that those of asks are made of: evaluated with these
 * at once, they keep a phone busy for a third of a second.
 */
export const SCHEMA_PIECES: readonly (() => Promise<unknown>)[] = [
  () => import("@/lib/schema/messages/tool-part-output"),
  () => import("@/lib/schema/runs/budget-ask"),
  () => import("@/lib/schema/messages/message"),
  () => import("@/lib/schema/tools/tool"),
];
