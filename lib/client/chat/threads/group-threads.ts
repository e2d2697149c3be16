import type { Approval } from "@/lib/schema/runs/interrupt";
import type { ThreadListItem, ThreadSummary } from "@/lib/schema/threads/thread";

export interface ThreadGroup {
  readonly name: string;
  readonly threads: readonly ThreadListItem[];
}

const DAY_MS = 86_400_000;

/** The first ask of each thread that waits for the person, by thread id; null while unknown. */
export type Asked = ReadonlyMap<string, string> | null;

/** Whether a thread waits for the person; a run that waits only for its subagents does not. */
export function needsPerson({ id, status }: Pick<ThreadSummary, "id" | "status">, asked: Asked): boolean {
  return asked === null ? status === "waiting" : asked.has(id);
}

/** The loaded threads, followed by older ones that wait for the person. */
export function withWaiting(threads: readonly ThreadListItem[], approvals: readonly Approval[]): ThreadListItem[] {
  const known = new Set(threads.map(({ id }) => id));
  const missing = new Map(
    approvals
      .filter(({ threadId, ownerName }) => !known.has(threadId) && ownerName === undefined)
      .map((approval) => [approval.threadId, toSummary(approval)]),
  );
  return [...threads, ...missing.values()];
}

function toSummary({ threadId, threadTitle, agentId, agentName, runId, waitingSince, draft }: Approval): ThreadSummary {
  const since = { createdAt: waitingSince, updatedAt: waitingSince };
  const state = { pinned: false, archived: false, status: "waiting" as const, activeRunId: runId };
  return { id: threadId, agentId, agentName, title: threadTitle, ...state, ...since, ...(draft ? { draft } : {}) };
}

/**
 * Threads waiting for a person first, then pinned ones, then by the day of the last change; order within a group is
 * kept.
 */
export function groupThreads(threads: readonly ThreadListItem[], nowMs: number, asked: Asked = null): ThreadGroup[] {
  const groups = new Map<string, ThreadListItem[]>();
  for (const name of ["Waiting for you", "Pinned"]) groups.set(name, []);
  for (const thread of threads) {
    const name = groupName(thread, nowMs, asked);
    groups.set(name, [...(groups.get(name) ?? []), thread]);
  }
  return [...groups].filter(([, members]) => members.length > 0).map(([name, members]) => ({ name, threads: members }));
}

/** Search results in the server's order: best matches first. */
export function foundGroup(threads: readonly ThreadListItem[]): ThreadGroup[] {
  return threads.length === 0 ? [] : [{ name: "Found", threads }];
}

function groupName(thread: ThreadSummary, nowMs: number, asked: Asked): string {
  if (needsPerson(thread, asked)) return "Waiting for you";
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
