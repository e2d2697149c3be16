const STATE_KEY = Symbol.for("ringmaster.process-state");

type StateHolder = typeof globalThis & { [STATE_KEY]?: Map<string, unknown> };

/**
 * The one value called `name` in this process, created by `make` on first use. Next loads a module twice
 * (instrumentation and routes), and only `globalThis` is shared between the two. Callers that use the same name must
 * agree on its type.
 */
export function processState<T>(name: string, make: () => T): T {
  const states = allStates();
  if (!states.has(name)) states.set(name, make());
  return states.get(name) as T;
}

/** Forgets `name`, so that the next `processState(name, …)` creates it again. For tests. @internal */
export function forgetProcessState(name: string): void {
  allStates().delete(name);
}

/** Forgets everything, as a new process would. For test files, which share one. @internal */
export function forgetProcessStates(): void {
  allStates().clear();
}

function allStates(): Map<string, unknown> {
  const holder: StateHolder = globalThis;
  holder[STATE_KEY] ??= new Map();
  return holder[STATE_KEY];
}
