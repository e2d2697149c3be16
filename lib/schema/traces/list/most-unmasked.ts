/** So far `unmasked` of a list of traces is counted. Without a schema beside it: the threads' list shows it, too. */
export const MOST_UNMASKED = 10_000;
