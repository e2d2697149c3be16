import type { Database } from "@/lib/server/platform/db/database";
import { requeueRun } from "@/lib/server/platform/db/queries/dispatch/claims";
import { hasOtherProcesses } from "@/lib/server/platform/db/queries/dispatch/processes";
import { logger } from "@/lib/server/platform/logger";
import type { ClaimedRun } from "./claimed-run";

/** How long the other processes have to take a run that this process can't execute. */
const WAIT_FOR_OTHERS_MS = 15_000;

/** Runs are forgotten after this time; by then another process has executed them. */
const FORGET_MS = 10 * 60_000;

/**
 * The runs that one host gave back because this process lacks an extension that another may have. A run given back is
 * queued again, so the same segment begins elsewhere and nothing counts as a takeover.
 */
export class RunsGivenBack {
  private readonly runs = new Map<string, { readonly segment: number; readonly sinceMs: number }>();
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  /** Whether this process leaves the run to other processes for now. */
  isLeftToOthers(runId: string): boolean {
    const known = this.runs.get(runId);
    return known !== undefined && Date.now() - known.sinceMs < WAIT_FOR_OTHERS_MS;
  }

  /**
   * Gives a run back before anything of its segment is recorded. False if nothing is missing, and also if there is no
   * other process or none has taken the segment for 15 s; then the run has to fail here.
   */
  async giveBack({ id, segment, epoch }: ClaimedRun, missing: string | null | undefined): Promise<boolean> {
    if (!missing) return false;
    const known = this.runs.get(id);
    const sinceMs = known?.segment === segment ? known.sinceMs : Date.now();
    this.forgetOld();
    if (Date.now() - sinceMs >= WAIT_FOR_OTHERS_MS || !(await hasOtherProcesses(this.database))) return false;
    this.runs.set(id, { segment, sinceMs });
    await requeueRun(this.database, { id, epoch });
    logger().warn({ runId: id }, `left to another process: ${missing}`);
    return true;
  }

  private forgetOld(): void {
    for (const [id, { sinceMs }] of this.runs) if (Date.now() - sinceMs > FORGET_MS) this.runs.delete(id);
  }
}
