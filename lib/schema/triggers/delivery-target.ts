import { z } from "zod";

/** The kinds of places for a result: each has one entry here and one among the server's senders. */
export const TARGETS = {
  thread: z.literal(true).describe("The thread of the run."),
  notify: z.literal(true).describe("The owner, in the ways that they have chosen for the end of a run."),
  email: z.literal(true).describe("The owner's email address, with the whole result."),
  channel: z.string().min(1).max(200).describe("last: the chat that the owner used last; or the id of a linked chat."),
  webhook: z.string().min(1).max(200).describe("The id of a webhook that goes out."),
} as const;

/** The target of a run's result besides its page: exactly one of the kinds. */
export const DeliveryTarget = z
  .strictObject(TARGETS)
  .partial()
  .superRefine((target, context) => {
    if (kindsOf(target).length === 1) return;
    context.addIssue({ code: "custom", message: `give exactly one of ${Object.keys(TARGETS).join(", ")}` });
  });
export type DeliveryTarget = z.infer<typeof DeliveryTarget>;

function kindsOf(target: DeliveryTarget): string[] {
  const kinds = Object.keys(TARGETS) as (keyof typeof TARGETS)[];
  return kinds.filter((kind) => target[kind] !== undefined);
}
