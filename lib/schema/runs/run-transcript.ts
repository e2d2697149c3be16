import { z } from "zod";
import { TranscriptMessage } from "@/lib/schema/threads/thread";
import { Run } from "./run";

/**
 * GET `/api/runs/{id}/transcript`: what the run was asked and, once it has ended, its stored reply. `askedBy` is the
 * name of the asking agent, null if a person asked.
 */
export const RunTranscript = z.object({
  run: Run,
  title: z.string().nullable(),
  askedBy: z.string().nullable(),
  messages: z.array(TranscriptMessage),
});
export type RunTranscript = z.infer<typeof RunTranscript>;
