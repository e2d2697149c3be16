import { SharedError } from "@/lib/schema/shared-error";
/** An answer with status 200 of which nothing, or not the end, could be read. */
export class UnreadableReply extends SharedError {
  static override readonly kind = "UnreadableReply";
  readonly contentType: string | null;
  /** How it begins; empty if a part of it was a reply. */
  readonly beginning: string;

  constructor(contentType: string | null, beginning: string) {
    super("The answer is not a chat completion.");
    this.contentType = contentType;
    this.beginning = beginning;
  }
}

/** The connection broke in the middle of the reply; `cause` says how. */
export class ReplyCut extends SharedError {
  static override readonly kind = "ReplyCut";
  constructor(cause: unknown) {
    super("The connection broke off.", { cause });
  }
}
