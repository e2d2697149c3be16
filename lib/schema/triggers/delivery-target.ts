import { z } from "zod";

/** Where a result can go: each kind is one entry here and one among the senders of the server. */
const TARGETS = {
  thread: z.literal(true).describe("The thread of the run."),
} as const;

export type DeliveryKind = keyof typeof TARGETS;

/** Where the result of a run goes besides its page: exactly one of the kinds. */
export const DeliveryTarget = z
  .strictObject(TARGETS)
  .partial()
  .superRefine((target, context) => {
    if (kindsOf(target).length === 1) return;
    context.addIssue({ code: "custom", message: `give exactly one of ${Object.keys(TARGETS).join(", ")}` });
  });
export type DeliveryTarget = z.infer<typeof DeliveryTarget>;

export function kindOfTarget(target: DeliveryTarget): DeliveryKind {
  const [kind] = kindsOf(target);
  if (kind === undefined) throw new Error("The target of a delivery names no kind.");
  return kind;
}

function kindsOf(target: DeliveryTarget): DeliveryKind[] {
  const kinds = Object.keys(TARGETS) as DeliveryKind[];
  return kinds.filter((kind) => target[kind] !== undefined);
}
