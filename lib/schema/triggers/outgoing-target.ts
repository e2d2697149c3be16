import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { NotificationKind, NotificationWay } from "@/lib/schema/users/notification";
import { TARGETS } from "./delivery-target";

/** The subject of a notification. */
export const NotificationSubject = z.strictObject({
  kind: NotificationKind,
  /** What is to be decided. */
  approvalId: RowId.optional(),
  /** What is only to be known: a note in the inbox. */
  noteId: RowId.optional(),
});
export type NotificationSubject = z.infer<typeof NotificationSubject>;

/** A file sent with a message: its content is stored under its hash. */
const SentFile = z.strictObject({ name: z.string(), hash: z.string() });

/** Notification ways are separate from the targets: a person's choices create these, no schedule names them. */
const OUTGOING = {
  ...TARGETS,
  /** `isDecided`: replaces a notification that asks. */
  push: NotificationSubject.extend({ device: RowId, isDecided: z.literal(true).optional() }),
  page: NotificationSubject,
  mail: NotificationSubject,
  chat: NotificationSubject,
  /** A summary of what was held back, in one message; `isDaily`: because the person wants it once a day. */
  summary: z.strictObject({ way: NotificationWay, device: RowId.optional(), isDaily: z.literal(true).optional() }),
  /** A chat message from the tool `message`. */
  message: z.strictObject({ link: RowId, files: z.array(SentFile) }),
  /** A run's ask, with buttons; the same message once it is decided. */
  question: z.strictObject({ link: RowId, approvalId: RowId }),
  decided: z.strictObject({ message: RowId }),
} as const;

export type DeliveryKind = keyof typeof OUTGOING;

/** The target of something that waits to be sent: exactly one of the kinds. */
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

/** The way by which it reaches a person; null for what is no notification. */
export function wayOfTarget({ push, page, mail, chat, question }: OutgoingTarget): NotificationWay | null {
  if (push) return push.isDecided ? null : "push";
  if (chat ?? question) return "channel";
  if (mail) return "email";
  return page ? "page" : null;
}

/** The ask that it is about; null for what asks nothing. */
export function askOfTarget({ push, page, mail, chat, question }: OutgoingTarget): string | null {
  return (push ?? page ?? mail ?? chat ?? question)?.approvalId ?? null;
}

function kindsOf(target: Readonly<Partial<Record<DeliveryKind, unknown>>>): DeliveryKind[] {
  const kinds = Object.keys(OUTGOING) as DeliveryKind[];
  return kinds.filter((kind) => target[kind] !== undefined);
}
