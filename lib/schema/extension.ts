import { z } from "zod";

export const ExtensionKind = z.enum(["hook", "tool", "section"]);
export type ExtensionKind = z.infer<typeof ExtensionKind>;

/**
 * A hook, tool or prompt section from the extensions folder, or a file that could not be loaded: it then has an
 * `error`, and name and kind are unknown. `file` is relative to the folder; `line` is null if the problem has none.
 */
export const ExtensionInfo = z.object({
  file: z.string(),
  name: z.string().nullable(),
  kind: ExtensionKind.nullable(),
  hash: z.string(),
  error: z.object({ message: z.string(), line: z.number().nullable() }).optional(),
  /** The agents whose current version names it. */
  agents: z.array(z.object({ id: z.string(), name: z.string() })),
});
export type ExtensionInfo = z.infer<typeof ExtensionInfo>;

/** GET `/api/extensions`, and the reply to reloading them. */
export const ExtensionList = z.object({ extensions: z.array(ExtensionInfo) });
