import { AsyncLocalStorage } from "node:async_hooks";
import type { Traceparent } from "@/lib/schema/apis/traceparent";
import { processState } from "./process-state";

/** Where a request came from. */
export interface RequestContext {
  readonly ip: string | null;
  readonly apiKeyId: string | null;
  /** The trace that a program says its request belongs to. */
  readonly traceparent?: Traceparent | null;
}

const NONE: RequestContext = { ip: null, apiKeyId: null };

interface Answering {
  readonly facts: RequestContext;
  /** Null once it is answered: what the request began may live on. */
  end: AbortSignal | null;
}

// On `processState` because Next loads this module more than once.
const storage = processState("request-context", () => new AsyncLocalStorage<Answering>());

/** The facts of the request being answered; none for the server's own work. */
export function requestContext(): RequestContext {
  return storage.getStore()?.facts ?? NONE;
}

/**
 * Aborts when nobody waits for the answer of the request being answered any more; its reason is an AppError. Null for
 * requests that change something, which go on without their client, and for the server's own work.
 */
export function requestEnd(): AbortSignal | null {
  return storage.getStore()?.end ?? null;
}

/** Answers a request. `end` is given for one that only reads. */
export async function withRequestContext<Result>(
  facts: RequestContext,
  work: () => Promise<Result>,
  end: AbortSignal | null = null,
): Promise<Result> {
  const answering: Answering = { facts, end };
  try {
    return await storage.run(answering, work);
  } finally {
    answering.end = null;
  }
}

/** For work that a request begins and that outlives it. */
export function withoutRequest<Result>(work: () => Result): Result {
  return storage.run({ facts: NONE, end: null }, work);
}
