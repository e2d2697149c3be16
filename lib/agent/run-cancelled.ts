/**
 * Abort reason of a run stopped by a person or its client: the run ends `cancelled`. Detect it with `isRunCancelled`,
 * never with `instanceof`: Next loads this module twice.
 */
export class RunCancelled extends Error {
  override readonly name = "RunCancelled";
  readonly ending = "cancelled";

  readonly by: string;

  constructor(by: string) {
    super("The run was cancelled.");
    this.by = by;
  }
}

/**
 * Abort reason (or error of the run's log) of a segment that must stop although its run continues elsewhere or later: a
 * shutdown, a lost lease. Nothing more is recorded and no `afterAgent` runs. Subclass as needed.
 */
export class RunSuspended extends Error {
  override readonly name: string = "RunSuspended";
  readonly ending = "suspended";
}

export function isRunCancelled(reason: unknown): reason is RunCancelled {
  return reason instanceof Error && "ending" in reason && reason.ending === "cancelled";
}

export function isRunSuspended(reason: unknown): reason is RunSuspended {
  return reason instanceof Error && "ending" in reason && reason.ending === "suspended";
}
