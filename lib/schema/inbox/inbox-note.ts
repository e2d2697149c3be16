import { z } from "zod";
import type { NotificationKind } from "@/lib/schema/users/notification";

const NoteKind = z.enum(["schedule", "delivery", "board", "alert"]) satisfies z.ZodType<NotificationKind>;
export type NoteKind = z.infer<typeof NoteKind>;

export function isNoteKind(kind: NotificationKind): kind is NoteKind {
  return NoteKind.safeParse(kind).success;
}

/** Notes about a person's keys and about an agent that they administer are only shown. */
const ShownKind = z.enum([...NoteKind.options, "key", "agent"]);

/** Something to know that needs no answer. It stays in its person's inbox until they are done with it. */
export const InboxNote = z.object({
  id: z.string(),
  kind: ShownKind,
  title: z.string(),
  detail: z.string(),
  /** What it is about, such as "schedule Import statements". */
  source: z.string(),
  /** The page where it can be looked at. */
  path: z.string(),
  createdAt: z.string(),
});
export type InboxNote = z.infer<typeof InboxNote>;

/** GET `/api/inbox-notes`: the latest first, at most a hundred; `total` counts all. */
export const InboxNoteList = z.object({ notes: z.array(InboxNote), total: z.number() });
export type InboxNoteList = z.infer<typeof InboxNoteList>;

/** PATCH `/api/inbox-notes/{id}`. */
export const ChangeNoteBody = z.strictObject({ done: z.boolean() });
