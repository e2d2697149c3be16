import { estimateRequest } from "@/lib/agent/messages/estimate-tokens";
import type { ModelPort } from "@/lib/agent/model";
import { type LostCall, type Spending, unknownSpending } from "@/lib/schema/runs/usage";
import { incrementBy } from "@/lib/server/engine/children/child-totals";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import { USAGE_COLUMNS, usageOfRow } from "@/lib/server/engine/run-row";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { isNotFound } from "@/lib/server/platform/db/errors";
import { countModelCall } from "@/lib/server/platform/telemetry/counters";

type Followed = Pick<ClaimedRun, "id" | "threadId" | "traceId" | "agentId">;

/** The calls of work that follows a run (a compaction, a title). Such work has no events that a takeover could read. */
export interface FollowUpCalls {
  /** The model, each of whose calls is stored before it is made, and again with its usage. */
  readonly model: ModelPort;
  /**
   * Adds what was used to the run, its thread and its trace; then the calls need no longer be stored. With `isApart` the
   * run keeps what it had used itself.
   */
  settle(spent: Spending, options?: { readonly isApart: boolean }): Promise<void>;
}

export function followUpCalls(
  database: Database,
  run: Followed,
  { model, charsPerToken }: { readonly model: ModelPort; readonly charsPerToken: number },
): FollowUpCalls {
  const ids: string[] = [];
  return {
    model: {
      ...model,
      async call(request, options) {
        const id = createId("fuc");
        const inputTokens = estimateRequest(request, charsPerToken);
        const sent = {
          inputTokens,
          outputTokens: 0,
          costUsd: model.worstCostUsd?.({ input: inputTokens, output: 0 }) ?? null,
        };
        await database.followUpCall.create({ data: { id, runId: run.id, ...sent, createdAt: new Date() } });
        ids.push(id);
        const reply = await model.call(request, options);
        countModelCall(run.agentId, reply);
        const { inputTokens: input, outputTokens } = reply.usage;
        const data = { inputTokens: input, outputTokens, costUsd: reply.costUsd ?? null };
        await database.followUpCall.updateMany({ where: { id }, data });
        return reply;
      },
    },
    async settle(spent, { isApart } = { isApart: false }) {
      const isNothing = spent.usage.inputTokens + spent.usage.outputTokens === 0 && !spent.usage.isUsagePartial;
      if (isNothing && ids.length === 0) return;
      const kept = isApart ? await spentBefore(database, run.id) : {};
      await database.$transaction([
        ...addStatements(database, run, spent, kept),
        database.followUpCall.deleteMany({ where: { id: { in: ids } } }),
      ]);
    },
  };
}

function addStatements(
  database: Database,
  { id, threadId, traceId }: Omit<Followed, "agentId">,
  { usage, costUsd }: Spending,
  kept: { readonly spentUntitled?: string } = {},
) {
  const data = incrementBy(usage, costUsd);
  return [
    database.run.updateMany({ where: { id }, data: { ...data, ...kept } }),
    database.thread.updateMany({ where: { id: threadId }, data }),
    database.trace.updateMany({ where: { id: traceId }, data }),
  ];
}

async function spentBefore(database: Database, id: string): Promise<{ readonly spentUntitled?: string }> {
  const row = await database.run.findUnique({ where: { id }, select: USAGE_COLUMNS });
  if (row === null) return {};
  const spent: Spending = { usage: usageOfRow(row), costUsd: row.costUsd };
  return { spentUntitled: JSON.stringify(spent) };
}

const AT_ONCE = 100;

/**
 * Adds the calls made before then to their runs as far as they are known, for their processes have died: what was sent,
 * and what had been answered if the call had ended. Their usage counts as partial.
 */
export async function settleLeftCalls(database: Database, before: Date): Promise<void> {
  for (;;) {
    const rows = await database.followUpCall.findMany({ where: { createdAt: { lt: before } }, take: AT_ONCE });
    for (const row of rows) await settleLeftCall(database, row);
    if (rows.length < AT_ONCE) return;
  }
}

interface LeftCall extends LostCall {
  readonly id: string;
  readonly runId: string;
}

async function settleLeftCall(database: Database, { id, runId, ...used }: LeftCall): Promise<void> {
  const select = { id: true, threadId: true, traceId: true } as const;
  const run = await database.run.findUnique({ where: { id: runId }, select });
  const added = run === null ? [] : addStatements(database, run, unknownSpending(used));
  try {
    await database.$transaction([database.followUpCall.delete({ where: { id }, select: { id: true } }), ...added]);
  } catch (error) {
    // Another process has settled it.
    if (!isNotFound(error)) throw error;
  }
}
