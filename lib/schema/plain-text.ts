import { z } from "zod";

/** One line that names something: trimmed, not empty, no control characters, no half of a surrogate pair. */
export function plainText(maxLength: number) {
  return z
    .string()
    .trim()
    .min(1)
    .max(maxLength)
    .refine((text) => !/\p{Cc}/u.test(text) && text.isWellFormed(), "must not contain control characters");
}

/** Text of several lines that a database stores as it is: no NUL, no half of a surrogate pair. */
export function storedText(maxLength: number) {
  return z
    .string()
    .trim()
    .max(maxLength)
    .refine((text) => !text.includes("\0") && text.isWellFormed(), "must not contain NUL or half characters");
}
