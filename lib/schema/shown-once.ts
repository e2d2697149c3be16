import { z } from "zod";

/** Fields of replies that are shown once, such as a new key: they are stored nowhere, not even to repeat an answer. */
export const SHOWN_ONCE = z.registry<{ readonly why: string }>();

/** Marks a field as shown once. */
export function shownOnce<Schema extends z.ZodType>(schema: Schema): Schema {
  SHOWN_ONCE.add(schema, { why: "only its hash is stored" });
  return schema;
}
