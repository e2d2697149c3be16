import { z } from "zod";

/** Shorter secrets occur in ordinary text, so they can't be redacted. */
export const MIN_SECRET_CHARS = 12;

export const SHORT_SECRET = `must have at least ${MIN_SECRET_CHARS} characters: a shorter one can't be kept out of traces and logs`;

/** A secret as a person enters it: long enough to be redacted wherever text enters a run. */
export function newSecret(maxLength: number) {
  return z.string().min(MIN_SECRET_CHARS, { error: SHORT_SECRET, abort: true }).max(maxLength);
}

/** A secret of one word, pasted with white space around it. */
export function newKey(maxLength: number) {
  return z.string().trim().min(MIN_SECRET_CHARS, { error: SHORT_SECRET, abort: true }).max(maxLength);
}
