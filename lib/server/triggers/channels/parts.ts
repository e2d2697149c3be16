/** Messages that a person passes on together. */
export const FORWARDED = "forwarded";
/** A text that may be the comment on what follows it at once. */
export const COMMENT = "comment";
