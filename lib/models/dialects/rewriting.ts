import type { LanguageModelV4Message } from "@ai-sdk/provider";
import type { SentChanges } from "@/lib/agent/model";

/** What a server's traits have made of a request. */
export interface Rewriting {
  readonly rewritten: SentChanges["rewritten"];
  /** How many replies are written without their thoughts. */
  readonly lostThoughts: number;
}

const REWRITING = Symbol("rewriting");

/** As the body of a request, which nobody else reads. */
export function asRequestBody(rewriting: Rewriting): object {
  return { [REWRITING]: rewriting };
}

/** Null for a model without traits. */
export function rewritingOf(body: unknown): Rewriting | null {
  if (typeof body !== "object" || body === null || !(REWRITING in body)) return null;
  return body[REWRITING] as Rewriting;
}

export function hasThoughts({ role, content }: LanguageModelV4Message): boolean {
  return role === "assistant" && content.some(({ type }) => type === "reasoning");
}
