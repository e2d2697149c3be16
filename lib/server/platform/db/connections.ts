/** The connections that a process may open to Postgres, shared out among those that use them. */
export interface ConnectionShares {
  /** Prisma and the raw statements. */
  readonly work: number;
  /** The queue of jobs: its heartbeats must not wait for anything else. */
  readonly jobs: number;
  /** Listens to the other processes. */
  readonly notifier: number;
}

/** One for each of them. */
export const MIN_CONNECTIONS = 3;
const NOTIFIER = 1;
const MOST_JOBS = 4;
const DEFAULT_WORK = 20;

/** `total` null means the default; a process of the role `web` has no jobs. */
export function shareConnections(total: number | null, role: "all" | "web" | "worker"): ConnectionShares {
  if (total === null) return { work: DEFAULT_WORK, jobs: role === "web" ? 0 : MOST_JOBS, notifier: NOTIFIER };
  const jobs = role === "web" ? 0 : Math.min(MOST_JOBS, Math.max(1, Math.floor((total - NOTIFIER) / 6)));
  return { work: total - jobs - NOTIFIER, jobs, notifier: NOTIFIER };
}

export function totalConnections({ work, jobs, notifier }: ConnectionShares): number {
  return work + jobs + notifier;
}
