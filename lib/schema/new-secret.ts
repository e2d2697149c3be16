import { z } from "zod";

const SECRETS = z.registry<{ readonly isSecret: true }>();

/** Marks a schema, and what is derived from it: forms mask the field and never keep its text in the browser. */
export function secret<Schema extends z.ZodType>(schema: Schema): Schema {
  SECRETS.add(schema, { isSecret: true });
  return schema;
}

export function isSecret(schema: z.core.$ZodType): boolean {
  return SECRETS.get(schema) !== undefined;
}

/** Shorter secrets occur in ordinary text, so they can't be redacted. */
export const MIN_SECRET_CHARS = 12;

export const SHORT_SECRET = `must have at least ${MIN_SECRET_CHARS} characters: a shorter one can't be kept out of traces and logs`;

/** A secret as a person enters it: long enough to be redacted wherever text enters a run. */
export function newSecret(maxLength: number) {
  return secret(z.string()).min(MIN_SECRET_CHARS, { error: SHORT_SECRET, abort: true }).max(maxLength);
}

/** A secret of one word, pasted with white space around it. */
export function newKey(maxLength: number) {
  return secret(z.string()).trim().min(MIN_SECRET_CHARS, { error: SHORT_SECRET, abort: true }).max(maxLength);
}
