import { z } from "zod";

/** What starts a run by itself, as people name it. */
export const TriggerNoun = z.enum(["schedule", "heartbeat", "webhook", "chat"]);
export type TriggerNoun = z.infer<typeof TriggerNoun>;
