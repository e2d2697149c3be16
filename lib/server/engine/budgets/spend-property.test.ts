import fc from "fast-check";
import { expect, test } from "vitest";
import { BudgetReached } from "@/lib/agent/budget";
import type { ModelPort } from "@/lib/agent/model";
import { AgentConfig } from "@/lib/schema/agents/agent-config";
import { NO_USAGE } from "@/lib/schema/runs/usage";
import { budgetsChanged } from "@/lib/server/engine/budgets/budget-rows";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import type { RunInput } from "@/lib/server/engine/run-input";
import { createTestDatabase } from "@/lib/testing/databases/test-database";
import { openRunBudget } from "./run-budget";

const REQUEST = { system: [], messages: [], tools: [], maxTokens: 1_000, temperature: null };
const NEVER = new AbortController().signal;

/** A call may cost more than was reserved for it: the input is only estimated. */
const Call = fc.record({ worst: fc.integer({ min: 1, max: 40 }), share: fc.integer({ min: 0, max: 130 }) });
const Runs = fc.array(fc.array(Call, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 5 });
const World = fc.record({
  parents: fc.array(fc.record({ cents: fc.integer({ min: 1, max: 150 }), children: Runs }), {
    minLength: 1,
    maxLength: 3,
  }),
  dayCents: fc.integer({ min: 1, max: 300 }),
});

test("spending passes no budget by more than one call, with children in parallel and runs at once", {
  timeout: 120_000,
}, async () => {
  const { database, close } = await createTestDatabase();
  let worlds = 0;
  await fc.assert(
    fc.asyncProperty(World, async ({ parents, dayCents }) => {
      worlds += 1;
      const ownerId = `u${worlds}`;
      const facts = { scope: "user", scopeId: ownerId, period: "day", usd: dayCents / 100, onReach: "stop" };
      await database.budget.create({ data: { id: `bud${worlds}`, createdById: "admin", ...facts } });
      budgetsChanged();
      let dearest = 0;
      const spend = async (run: ClaimedRun, config: AgentConfig, input: RunInput, calls: readonly Cents[]) => {
        let next = { worst: 0, cost: 0 };
        const model: ModelPort = {
          name: "scripted:m",
          worstCostUsd: () => next.worst,
          async call() {
            const costUsd = next.cost;
            await new Promise((resolve) => setImmediate(resolve));
            dearest = Math.max(dearest, costUsd);
            const reply = { content: "", reasoning: [], toolCalls: [], finishReason: "stop" as const, usage: NO_USAGE };
            return { ...reply, costUsd, model: "scripted:m", timeToFirstTokenMs: null };
          },
        };
        const budget = await openRunBudget(database, { run, config, input, before: [], model });
        if (!budget) throw new Error("It is under a budget.");
        for (const { worst, share } of calls) {
          next = { worst: worst / 100, cost: (worst * share) / 10_000 };
          const isDone = await budget.model.call(REQUEST, { signal: NEVER }).then(
            () => false,
            (error: unknown) => error instanceof BudgetReached || Promise.reject(error),
          );
          await budget.close();
          if (isDone) return;
        }
      };
      await Promise.all(
        parents.flatMap(({ cents, children }, at) => {
          const config = AgentConfig.parse({ name: "a", budget: { run_usd: cents / 100, on_reach: "stop" } });
          const parent = runOf(`run_${worlds}_${at}`, ownerId);
          const ancestors = [{ runId: parent.id, agentId: "a", threadId: "th", own: config.budget }];
          const plain = AgentConfig.parse({ name: "c" });
          return children.map((calls, index) =>
            index === 0
              ? spend(parent, config, INPUT, calls)
              : spend(runOf(`${parent.id}_${index}`, ownerId, parent.id), plain, { ...INPUT, ancestors }, calls),
          );
        }),
      );
      const accounts = await database.budgetAccount.findMany({
        where: { OR: [{ id: { contains: `run_${worlds}_` } }, { budgetId: `bud${worlds}` }] },
      });
      expect(accounts.length).toBeGreaterThan(0);
      for (const { id, usedUsd, reservedUsd } of accounts) {
        expect(reservedUsd).toBeCloseTo(0);
        expect(usedUsd).toBeLessThanOrEqual(limitOf(id) + dearest + 1e-9);
      }
      function limitOf(account: string): number {
        if (account.startsWith("bud")) return dayCents / 100;
        const parent = parents[Number(/run_\d+_(\d+)$/.exec(account)?.[1])];
        return ((parent?.cents ?? 0) / 100) * (account.startsWith("share") ? 0.5 : 1);
      }
    }),
    { numRuns: 25 },
  );
  await close();
});

interface Cents {
  readonly worst: number;
  /** Percent of the worst case. */
  readonly share: number;
}

const INPUT: RunInput = { messages: [], transcriptPosition: 1 };

function runOf(id: string, ownerId: string, parentRunId: string | null = null): ClaimedRun {
  const place = {
    agentId: parentRunId === null ? "a" : "c",
    threadId: "th",
    apiKeyId: null,
    projectId: null,
    isInline: false,
    epoch: 1,
  };
  return { id, ownerId, parentRunId, ...place } as ClaimedRun;
}
