import { z } from "zod";
import { HeartbeatConfig } from "@/lib/schema/triggers/heartbeat-config";
import type { TriggerRow } from "@/lib/server/platform/db/queries/dispatch/triggers";
import { everyMs } from "./heartbeat-times";

const Said = z.object({ text: z.string(), at: z.string(), runId: z.string() });
export type Said = z.infer<typeof Said>;

/** The state of a heartbeat between beats. */
export const HeartbeatState = z.object({
  pauseMs: z.number(),
  /** Empty beats in a row that called a model. */
  empty: z.number(),
  /** The last messages, latest last. */
  said: z.array(Said),
  /** By glob: the marks of its files at the last look. */
  files: z.record(z.string(), z.string()),
  /** When it last checked for messages from its person. */
  lookedAt: z.string().nullable(),
  /** The answers of the `when` checks at the last look, in order. */
  answers: z.array(z.object({ isYes: z.boolean(), words: z.string() })),
});
export type HeartbeatState = z.infer<typeof HeartbeatState>;

export function heartbeatOf({ config }: Pick<TriggerRow, "config">): HeartbeatConfig {
  return HeartbeatConfig.parse(JSON.parse(config));
}

export function stateOf({ config, state }: Pick<TriggerRow, "config" | "state">): HeartbeatState {
  if (state !== null) return HeartbeatState.parse(JSON.parse(state));
  return { pauseMs: everyMs(heartbeatOf({ config })), empty: 0, said: [], files: {}, lookedAt: null, answers: [] };
}
