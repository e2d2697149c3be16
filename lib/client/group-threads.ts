import type { ThreadSummary } from "@/lib/schema/thread";

export interface ThreadGroup {
  readonly name: string;
  readonly threads: readonly ThreadSummary[];
}

const DAY_MS = 86_400_000;

/** What waits for a person first, then what is pinned, then by the day of the last change; order within stays. */
export function groupThreads(threads: readonly ThreadSummary[], nowMs: number): ThreadGroup[] {
  const groups = new Map<string, ThreadSummary[]>();
  for (const name of ["Needs you", "Pinned"]) groups.set(name, []);
  for (const thread of threads) {
    const name = groupName(thread, nowMs);
    groups.set(name, [...(groups.get(name) ?? []), thread]);
  }
  return [...groups].filter(([, members]) => members.length > 0).map(([name, members]) => ({ name, threads: members }));
}

function groupName(thread: ThreadSummary, nowMs: number): string {
  if (thread.status === "waiting") return "Needs you";
  if (thread.pinned) return "Pinned";
  return dayName(Date.parse(thread.updatedAt), nowMs);
}

function dayName(atMs: number, nowMs: number): string {
  const days = Math.round((startOfDay(nowMs) - startOfDay(atMs)) / DAY_MS);
  if (days <= 0) return "Today";
  if (days === 1) return "Yesterday";
  if (days < 7) return "Last 7 days";
  const at = new Date(atMs);
  const sameYear = at.getFullYear() === new Date(nowMs).getFullYear();
  return at.toLocaleDateString("en", { month: "long", ...(sameYear ? {} : { year: "numeric" }) });
}

function startOfDay(atMs: number): number {
  return new Date(atMs).setHours(0, 0, 0, 0);
}
