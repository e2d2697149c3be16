import type { Interrupt } from "@/lib/schema/runs/interrupt";
import type { OutgoingEvent } from "./event-statements";

/** Maximum characters of a reply; the thread has all of it. */
const MAX_RESPONSE_CHARS = 32_768;

const END_TYPES = {
  completed: "run.completed",
  limit: "run.limit",
  failed: "run.failed",
  interrupted: "run.failed",
} as const;

interface Ended {
  readonly status: string;
  readonly response: string | null;
  readonly notice: string | null;
  readonly error: string | null;
  readonly costUsd: number | null;
  readonly steps: number;
}

/** Events of a run that has ended; none if a person stopped it. */
export function endEvents({ status, response, notice, error, costUsd, steps }: Ended): OutgoingEvent[] {
  if (!Object.hasOwn(END_TYPES, status)) return [];
  const type = END_TYPES[status as keyof typeof END_TYPES];
  const text = response === null ? null : response.slice(0, MAX_RESPONSE_CHARS);
  return [{ type, data: { status, response: text, notice, error, cost_usd: costUsd, steps } }];
}

/** Events of a run that waits for people. Arguments of calls are omitted: they are only for those who decide. */
export function waitEvents(interrupts: readonly Interrupt[]): OutgoingEvent[] {
  if (interrupts.length === 0) return [];
  const kinds = [...new Set(interrupts.map(({ kind }) => kind))];
  return [
    { type: "run.waiting", data: { status: "waiting", waiting_for: kinds } },
    ...interrupts.flatMap(({ kind, tool, toolCallId, reason, expiresAt, budget }): OutgoingEvent[] => {
      if (kind === "approval") {
        const data = { tool, tool_call_id: toolCallId, reason: reason ?? null, expires_at: expiresAt ?? null };
        return [{ type: "approval.requested", data }];
      }
      if (kind !== "budget") return [];
      const { capUsd = null, spentUsd = null } = budget ?? {};
      return [{ type: "budget.reached", data: { cap_usd: capUsd, spent_usd: spentUsd } }];
    }),
  ];
}
