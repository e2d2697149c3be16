import { RunSuspended } from "@/lib/agent/run-cancelled";

/** Another process has taken over the run: this process must stop without recording anything more. */
export class LeaseLost extends RunSuspended {
  static override readonly kind = "LeaseLost";

  constructor() {
    super("Another process has taken over this run.");
  }
}

/** The process is about to end; another process, or its successor, continues the run. */
export class ShuttingDown extends RunSuspended {
  static override readonly kind = "ShuttingDown";

  constructor() {
    super("The server is shutting down.");
  }
}

/** The database did not answer for half a minute: once it does, the run continues from its last finished step. */
export class DatabaseAway extends RunSuspended {
  static override readonly kind = "DatabaseAway";

  constructor() {
    super("The database does not answer.");
  }
}
