import { z } from "zod";

/**
 * What is missing in the answer of a run that completed. `empty`: there is none; `cut`: it stops in the middle;
 * `withheld`: the provider's content filter stopped it; `text-call`: it is a tool call that was not run.
 */
export const AnswerNotice = z.enum(["empty", "cut", "withheld", "text-call"]);
export type AnswerNotice = z.infer<typeof AnswerNotice>;
