import { SharedError } from "@/lib/schema/shared-error";
/** Abort reason of a run stopped by a person or its client: the run ends `cancelled`. */
export class RunCancelled extends SharedError {
  static override readonly kind = "RunCancelled";

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
export class RunSuspended extends SharedError {
  static override readonly kind: string = "RunSuspended";
}
