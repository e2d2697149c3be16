import { z } from "zod";
import { Message } from "./message";

/**
 * A message of the list that the hooks left: one of a hook, or a stretch of the conversation's own. A stretch is counted
 * from the end of the conversation, whose older part may be compacted before a later segment; `from: null` is its start.
 */
const PreparedMessage = z.union([
  z.object({ message: Message }),
  z.object({ from: z.number().nullable(), to: z.number() }),
]);

/**
 * What `preGeneration` hooks changed (D-73): it holds in every segment of the run. A field that is absent was left as it
 * was. Of `values` only what can be stored as JSON is here.
 */
export const GenerationChanges = z.object({
  systemPrompt: z.string().optional(),
  messages: z.array(PreparedMessage).optional(),
  values: z.record(z.string(), z.json()).optional(),
});
export type GenerationChanges = z.infer<typeof GenerationChanges>;
export type PreparedMessages = NonNullable<GenerationChanges["messages"]>;
