import { z } from "zod";
import { AppError } from "@/lib/schema/app-error";
import { formatSize } from "@/lib/schema/files/format-size";

const MEGABYTE = 1_048_576;
/** The limit of one message's text, in bytes of UTF-8. */
const MAX_MESSAGE_BYTES = MEGABYTE;
/** The limit of the text of all messages that one request sends, in bytes of UTF-8. */
const MAX_MESSAGES_BYTES = 8 * MEGABYTE;

const TOO_LARGE = "text_too_large";

/** A text that becomes a message. A longer one is refused as `payload_too_large`, not as invalid. */
export function messageText<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((text, context) => limitTexts([text], context), schema);
}

/**
 * The messages of one request. Everything in them counts, used or not, except the pictures' addresses, which have a
 * limit of their own.
 */
export function sentMessages<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess(
    (messages, context) => limitTexts(Array.isArray(messages) ? messages : [], context, messages),
    schema,
  );
}

/** Throws `payload_too_large` if these are too large as the messages of one request. */
export function refuseLargeTexts(messages: readonly unknown[]): void {
  const problem = describeTooLarge(messages);
  if (problem !== null) throw new AppError("payload_too_large", problem);
}

/** Whether the text may become one message. */
export function isWithinMessage(text: string): boolean {
  return describeTooLarge([text]) === null;
}

/** The sentence of a problem that `messageText` or `sentMessages` found; null for any other. */
export function tooLargeSentence(issues: readonly z.core.$ZodIssue[]): string | null {
  for (const issue of issues) {
    if (issue.code === "custom" && issue.params?.reason === TOO_LARGE) return issue.message;
    const inside = issue.code === "invalid_union" ? tooLargeSentence(issue.errors.flat()) : null;
    if (inside !== null) return inside;
  }
  return null;
}

function limitTexts(messages: readonly unknown[], context: z.RefinementCtx, value: unknown = messages[0]): unknown {
  const message = describeTooLarge(messages);
  if (message !== null) context.addIssue({ code: "custom", message, params: { reason: TOO_LARGE } });
  return value;
}

function describeTooLarge(messages: readonly unknown[]): string | null {
  let total = 0;
  for (const message of messages) {
    const size = textBytes(message);
    if (size > MAX_MESSAGE_BYTES) {
      return `The text of a message may have ${formatSize(MAX_MESSAGE_BYTES)} at most, and this one has ${exactSize(size)}. Send what is long as a file.`;
    }
    total += size;
  }
  if (total <= MAX_MESSAGES_BYTES) return null;
  return `The text of all messages of a request may have ${formatSize(MAX_MESSAGES_BYTES)} at most, and these have ${exactSize(total)}. Send fewer, or what is long as a file.`;
}

/** With enough digits to differ from the limit. */
function exactSize(sizeBytes: number): string {
  return `${(sizeBytes / MEGABYTE).toFixed(2)} MB`;
}

const ENCODER = new TextEncoder();
/** What says what a message or a part is; names and values of this length hold no text. */
const LABELS: ReadonlySet<string> = new Set(["role", "type"]);
const MAX_LABEL_CHARS = 100;
/** Where clients put pictures. */
const ADDRESSES: ReadonlySet<string> = new Set(["url", "image_url"]);

/** The bytes of all texts in the value, walked without recursion. */
function textBytes(root: unknown): number {
  const open: { readonly name: string; readonly value: unknown }[] = [{ name: "", value: root }];
  let sizeBytes = 0;
  for (let entry = open.pop(); entry; entry = open.pop()) {
    const { name, value } = entry;
    if (name.length > MAX_LABEL_CHARS) sizeBytes += ENCODER.encode(name).byteLength;
    if (typeof value === "string") sizeBytes += isText(name, value) ? ENCODER.encode(value).byteLength : 0;
    else if (typeof value === "object" && value !== null) {
      for (const [key, child] of Object.entries(value)) open.push({ name: key, value: child });
    }
  }
  return sizeBytes;
}

function isText(name: string, value: string): boolean {
  if (ADDRESSES.has(name)) return !value.startsWith("data:");
  return !LABELS.has(name) || value.length > MAX_LABEL_CHARS;
}
