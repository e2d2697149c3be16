import { z } from "zod";
import { Message } from "@/lib/schema/messages/message";

/**
 * A message in the list the hooks returned: a hook's own, or a stretch of the conversation. A stretch is counted from
 * the end of the conversation, because the older part may be compacted before a later segment; `from: null` is its
 * start.
 */
const PreparedMessage = z.union([
  z.object({ message: Message }),
  z.object({ from: z.number().nullable(), to: z.number() }),
]);

/**
 * The changes made by `preGeneration` hooks (D-73); they apply to every segment of the run. An absent field was left
 * unchanged. `values` contains only what can be stored as JSON.
 */
export const GenerationChanges = z.object({
  systemPrompt: z.string().optional(),
  messages: z.array(PreparedMessage).optional(),
  values: z.record(z.string(), z.json()).optional(),
});
export type GenerationChanges = z.infer<typeof GenerationChanges>;
export type PreparedMessages = NonNullable<GenerationChanges["messages"]>;
