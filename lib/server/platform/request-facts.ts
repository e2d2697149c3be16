import { AsyncLocalStorage } from "node:async_hooks";
import { processState } from "./process-state";

/** Where a request came from: what the audit log records besides the actor. */
export interface RequestFacts {
  readonly ip: string | null;
  readonly apiKeyId: string | null;
}

const NONE: RequestFacts = { ip: null, apiKeyId: null };

// On `processState` because Next loads this module more than once.
const storage = processState("request-facts", () => new AsyncLocalStorage<RequestFacts>());

/** The facts of the request being answered; none for the server's own work. */
export function requestFacts(): RequestFacts {
  return storage.getStore() ?? NONE;
}

export function withRequestFacts<Result>(facts: RequestFacts, work: () => Result): Result {
  return storage.run(facts, work);
}

/** For work that a request begins and that outlives it. */
export function withoutRequest<Result>(work: () => Result): Result {
  return storage.run(NONE, work);
}
