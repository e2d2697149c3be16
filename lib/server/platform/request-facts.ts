import { AsyncLocalStorage } from "node:async_hooks";
import { processState } from "./process-state";

/** From where a request came: what the audit log says beside who it was. */
export interface RequestFacts {
  readonly ip: string | null;
  readonly apiKeyId: string | null;
}

const NONE: RequestFacts = { ip: null, apiKeyId: null };

// Next loads this module more than once.
const storage = processState("request-facts", () => new AsyncLocalStorage<RequestFacts>());

/** Those of the request that is being answered; none for what the server does by itself. */
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
