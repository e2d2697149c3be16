import type { Approval } from "@/lib/schema/runs/interrupt";

/** The asks of one thread; the thread that has waited longest comes first. */
export interface InboxGroup {
  readonly threadId: string;
  readonly title: string;
  readonly agentName: string;
  readonly approvals: readonly Approval[];
}

/** By thread, in the order in which the threads began to wait; order within a thread is kept. */
export function groupByThread(approvals: readonly Approval[]): InboxGroup[] {
  const groups = new Map<string, Approval[]>();
  for (const approval of approvals) {
    groups.set(approval.threadId, [...(groups.get(approval.threadId) ?? []), approval]);
  }
  return [...groups].map(([threadId, members]) => ({
    threadId,
    title: members[0]?.threadTitle ?? "New thread",
    agentName: (members.find(({ subagent }) => subagent === undefined) ?? members[0])?.agentName ?? "",
    approvals: members,
  }));
}

/** The person's choice in the inbox: an item with its position, or deliberately none. */
export type InboxChoice = { readonly id: string; readonly index: number } | "nothing" | null;

/** The open item: the chosen one, otherwise the first; after a decision, the one that takes its place. */
export function openItem(ids: readonly string[], choice: InboxChoice): string | null {
  if (choice === "nothing") return null;
  if (choice === null) return ids[0] ?? null;
  if (ids.includes(choice.id)) return choice.id;
  return ids[Math.min(choice.index, ids.length - 1)] ?? null;
}

/** The choice one step forward (`by` 1) or back (-1); it stops at the ends. */
export function stepItem(ids: readonly string[], choice: InboxChoice, by: 1 | -1): InboxChoice {
  if (ids.length === 0) return choice;
  const open = openItem(ids, choice);
  const from = open === null ? (by === 1 ? -1 : ids.length) : ids.indexOf(open);
  const index = Math.min(ids.length - 1, Math.max(0, from + by));
  return { id: ids[index] ?? "", index };
}
