import { z } from "zod";

/**
 * The references in one answer: mail programs group conversations by them, and very long headers are truncated in
 * transit.
 */
const MOST_REFERENCES = 20;

const AnswerKey = z.object({
  messageId: z.string().max(998),
  references: z.array(z.string().max(998)),
  subject: z.string().max(500),
});

/** What an answer needs to know about the mail it answers, as one text. */
export type AnswerKey = z.output<typeof AnswerKey>;

export function writeAnswerKey({ messageId, references, subject }: AnswerKey): string {
  const [first, ...rest] = references;
  const kept = first === undefined ? [] : [first, ...rest.slice(-MOST_REFERENCES + 1)];
  return JSON.stringify({ messageId, references: kept, subject });
}

/** Null for any other text, such as the Message-ID of an own mail. */
export function readAnswerKey(text: string | undefined): AnswerKey | null {
  try {
    return text === undefined ? null : (AnswerKey.safeParse(JSON.parse(text)).data ?? null);
  } catch {
    return null;
  }
}

/** The Message-IDs in a header, in order. */
export function messageIdsIn(value: string | undefined): string[] {
  return value?.match(/<[^<>\s]{1,996}>/g) ?? [];
}
