import { z } from "zod";

/** References of one answer: mail programs show the conversation by them, and very long headers are cut on the way. */
const MOST_REFERENCES = 20;

const AnswerKey = z.object({
  messageId: z.string().max(998),
  references: z.array(z.string().max(998)),
  subject: z.string().max(500),
});

/** What an answer needs of the mail that it answers, as one text. */
export type AnswerKey = z.output<typeof AnswerKey>;

export function writeAnswerKey({ messageId, references, subject }: AnswerKey): string {
  const [first, ...rest] = references;
  const kept = first === undefined ? [] : [first, ...rest.slice(-MOST_REFERENCES + 1)];
  return JSON.stringify({ messageId, references: kept, subject });
}

/** Null for what is none, such as the Message-ID of an own mail. */
export function readAnswerKey(text: string | undefined): AnswerKey | null {
  try {
    return text === undefined ? null : (AnswerKey.safeParse(JSON.parse(text)).data ?? null);
  } catch {
    return null;
  }
}

/** Message-IDs in a header, in order. */
export function messageIdsIn(value: string | undefined): string[] {
  return value?.match(/<[^<>\s]{1,996}>/g) ?? [];
}
