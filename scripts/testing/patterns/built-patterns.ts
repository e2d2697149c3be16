/** Why patterns that a file builds at run time take no more than linear time, and how many there are. */
interface BuiltPatterns {
  readonly count: number;
  readonly why: string;
}

const BOUNDED_TEXT = "The demo model reads at most 4,000 characters of a request.";

/**
 * Every file that builds patterns. No checker sees them, so each needs its reason: parts that are fixed or escaped, and
 * repeats that are bounded or can match in one way only.
 */
export const BUILT_PATTERNS: Readonly<Record<string, BuiltPatterns>> = {
  "lib/agent/messages/tags.ts": {
    count: 1,
    why: "The tag is a name in our own code; white space is read once behind each angle bracket.",
  },
  "lib/client/files/artifact/notebook.ts": { count: 1, why: "An escape sequence of digits, each beginning with ESC." },
  "lib/client/files/artifact/parse-table.ts": {
    count: 1,
    why: "The separator is one of four characters; sticky, and every alternative reads other characters.",
  },
  "lib/models/demo/attached-rules.ts": { count: 2, why: `Names of files are escaped. ${BOUNDED_TEXT}` },
  "lib/models/demo/brain.ts": { count: 1, why: BOUNDED_TEXT },
  "lib/models/demo/demo-model.ts": { count: 1, why: "Cuts a text into pieces of a fixed size." },
  "lib/models/demo/file-rules.ts": { count: 7, why: BOUNDED_TEXT },
  "lib/models/demo/request.ts": { count: 1, why: BOUNDED_TEXT },
  "lib/models/demo/tool-rules.ts": { count: 2, why: BOUNDED_TEXT },
  "lib/models/failures/retry-after.ts": {
    count: 2,
    why: "Fixed parts; digits are bounded, and so are words between the verb and its duration, each of which begins with a letter.",
  },
  "lib/schema/messages/attached-files.ts": {
    count: 1,
    why: "Fixed parts; each line begins with a dash and ends at its line end.",
  },
  "lib/schema/users/notification.ts": { count: 1, why: "A fixed number of characters, anchored." },
  "lib/server/engine/titles/clean-title.ts": { count: 2, why: "Fixed words, anchored, every repeat bounded." },
  "lib/server/http/refuse-request.ts": {
    count: 1,
    why: "The routes' own addresses, anchored; a parameter ends at the next slash.",
  },
  "lib/server/platform/db/errors.ts": { count: 1, why: "Fixed words without repeats." },
  "lib/text/markdown/prose-tokenizer.ts": { count: 1, why: "One character of a fixed set." },
  "lib/text/sanitize/silent-reply.ts": {
    count: 2,
    why: "A fixed token; white space is read at the beginning, or behind the token.",
  },
  "lib/text/sanitize/tag-scanner.ts": { count: 2, why: "Names in our own code, escaped; attributes are bounded." },
  "lib/text/scan/other-languages.ts": { count: 2, why: "Fixed words; every repeat is bounded." },
  "lib/text/scan/patterns.ts": { count: 1, why: "Fixed words; every repeat is bounded." },
};
