import { z } from "zod";

/** `output` of a `dynamic-tool` part in state `output-available`: the text the model read and the structured form. */
export const ToolPartOutput = z.object({ text: z.string(), display: z.unknown().optional() });
