import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { NotificationKind } from "@/lib/schema/users/notification";
import { TARGETS } from "./delivery-target";

/** What a notification is about. */
export const NotificationSubject = z.strictObject({ kind: NotificationKind, approvalId: RowId.optional() });
export type NotificationSubject = z.infer<typeof NotificationSubject>;

/** The ways of notifications stand beside the targets: a person's choices make these, no schedule names them. */
const OUTGOING = {
  ...TARGETS,
  push: NotificationSubject.extend({ device: RowId }),
  page: NotificationSubject,
  mail: NotificationSubject,
} as const;

export type DeliveryKind = keyof typeof OUTGOING;

/** Where something goes that waits to be sent: exactly one of the kinds. */
export const OutgoingTarget = z
  .strictObject(OUTGOING)
  .partial()
  .refine((target) => kindsOf(target).length === 1, "must have exactly one kind");
export type OutgoingTarget = z.infer<typeof OutgoingTarget>;

export function kindOfTarget(target: OutgoingTarget): DeliveryKind {
  const [kind] = kindsOf(target);
  if (kind === undefined) throw new Error("The target of a delivery names no kind.");
  return kind;
}

function kindsOf(target: Readonly<Partial<Record<DeliveryKind, unknown>>>): DeliveryKind[] {
  const kinds = Object.keys(OUTGOING) as DeliveryKind[];
  return kinds.filter((kind) => target[kind] !== undefined);
}
