import { RunSuspended } from "@/lib/agent/run-cancelled";

/** Another process has taken over the run: this one must stop without recording anything more. */
export class LeaseLost extends RunSuspended {
  override readonly name = "LeaseLost";

  constructor() {
    super("Another process has taken over this run.");
  }
}

/** The process is about to end; another one, or the next one, continues the run. */
export class ShuttingDown extends RunSuspended {
  override readonly name = "ShuttingDown";

  constructor() {
    super("The server is shutting down.");
  }
}

/** The database did not answer for half a minute: the run continues from its last finished step when it does. */
export class DatabaseAway extends RunSuspended {
  override readonly name = "DatabaseAway";

  constructor() {
    super("The database does not answer.");
  }
}
