import { type BudgetOutcome, BudgetReached, type RunBudget } from "@/lib/agent/budget";
import { findOpenStep } from "@/lib/agent/journal";
import { estimateRequest } from "@/lib/agent/messages/estimate-tokens";
import type { ModelCallOptions, ModelPort, ModelRequest } from "@/lib/agent/model";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import { isLimited } from "@/lib/schema/agents/agent-config-budget";
import { AppError } from "@/lib/schema/app-error";
import { exactTokens } from "@/lib/schema/messages/token-estimate";
import { type BudgetAsk, BudgetRefusal } from "@/lib/schema/runs/budget-ask";
import type { ModelReply, RunEvent, StoredRunEvent } from "@/lib/schema/runs/run-event";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import type { RunInput } from "@/lib/server/engine/run-input";
import type { Database } from "@/lib/server/platform/db/database";
import { isBusy } from "@/lib/server/platform/db/errors";
import {
  type Draw,
  reserveCall,
  settleLostCalls,
  settleStatements,
} from "@/lib/server/platform/db/queries/usage/budget-calls";
import { type BudgetAccountRow, markReached, selectAccounts } from "@/lib/server/platform/db/queries/usage/budgets";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";
import { logger } from "@/lib/server/platform/logger";
import { retry } from "@/lib/server/platform/retry";
import { budgetRows } from "./budget-rows";
import { type Cap, capsOf, chainOf, type RunChain } from "./caps";
import { describeAsk, reachedText, refusedText, UNUSED } from "./describe-reached";

interface Budgeted {
  readonly run: ClaimedRun;
  /** The run's config: an inline subagent's contains the limits of the agent around it. */
  readonly config: AgentConfig;
  readonly input: RunInput;
  /** The events of the run's earlier segments. */
  readonly before: readonly RunEvent[];
  readonly model: ModelPort;
  /** Names work other than the run's own segment (compaction after it); its reservations carry this name. */
  readonly holder?: string;
}

/**
 * The budgets that apply to a run; null if there are none, and then nothing further is queried or stored. Settles what
 * an earlier claim of the run left reserved.
 */
export async function openRunBudget(database: Database, budgeted: Budgeted): Promise<RunBudgetGate | null> {
  const { run, config, input, before } = budgeted;
  const chain = chainOf(run, config, input);
  if (capsOf(chain, await budgetRows(database), new Date()).length === 0) return null;
  if (run.epoch > 1 && budgeted.holder === undefined) {
    await settleLostCalls(database, { runId: run.id, before: run.epoch }, streamedTokens(before, config));
  }
  return new RunBudgetGate(database, chain, budgeted);
}

function streamedTokens(events: readonly RunEvent[], config: AgentConfig): number {
  return Math.ceil((findOpenStep(events)?.streamedChars ?? 0) / config.chars_per_token);
}

/** Whether any limit would apply to a run started this way: its first call may not fit. */
export async function isLimitedStart(database: Database, start: LimitedStart): Promise<boolean> {
  const { agentId, config, ownerId, apiKeyId, projectId } = start;
  const own = isLimited(config.budget) ? config.budget : undefined;
  const place = { ownerId, apiKeyId: apiKeyId ?? null, projectId };
  const chain: RunChain = { members: [{ runId: "", threadId: "", agentId, own }], ...place };
  return capsOf(chain, await budgetRows(database), new Date()).length > 0;
}

interface LimitedStart {
  readonly agentId: string;
  readonly config: Pick<AgentConfig, "budget">;
  readonly ownerId: string;
  readonly apiKeyId: string | undefined;
  /** Of the thread; a new one is in no project. */
  readonly projectId: string | null;
}

/** The most that a call may cost; `usd` is null if no price is known. */
export interface WorstCase {
  readonly usd: number | null;
  readonly tokens: number;
  /** The input tokens within `tokens`, and their cost. */
  readonly input: { readonly usd: number; readonly tokens: number };
}

interface OpenCall {
  readonly call: number;
  readonly accounts: readonly string[];
  readonly worst: WorstCase;
}

interface Settlement extends OpenCall {
  readonly spent: { readonly usd: number; readonly tokens: number };
}

/** How often a reservation is tried when other calls change the same accounts at the same moment. */
const MAX_ATTEMPTS = 5;
const BUSY_DELAYS_MS = [10, 50, 200, 1_000, 3_000];

/**
 * Reserves the worst case of every model call of one segment and replaces it with the call's actual cost, in the commit
 * of the event that records the reply. An interrupted call counts with an estimate of what it used, provided it was
 * stopped by us or returned anything: a provider charges for what it was sent.
 */
export class RunBudgetGate implements RunBudget {
  /** The run's model, whose calls count. */
  readonly model: ModelPort;
  #calls = 0;
  #replies = 0;
  #admitted: OpenCall | null = null;
  #isLast = false;
  readonly #open = new Set<OpenCall>();
  #unsettled: Settlement[] = [];
  #refused: Refused | null;
  /** A person wants the run to answer with what it has: that call may exceed the budgets they could have raised. */
  #isAnswerWanted = false;

  private readonly database: Database;
  private readonly chain: RunChain;
  private readonly budgeted: Budgeted;

  constructor(database: Database, chain: RunChain, budgeted: Budgeted) {
    this.database = database;
    this.chain = chain;
    this.budgeted = budgeted;
    this.#refused = findRefusal(budgeted.before);
    this.#replies = budgeted.before.filter(({ type }) => type === "model.completed").length;
    const { model } = budgeted;
    this.model = { ...model, call: (request, options) => this.#call(model, request, options) };
  }

  async admit(request: ModelRequest): Promise<void> {
    if (this.#refused) throw new BudgetReached(this.#refused.reason, this.#refused.outcome, this.#refused.ask);
    this.#admitted = await this.#reserve(request);
  }

  admitLast(): void {
    this.#isLast = true;
    this.#isAnswerWanted = this.#refused !== null;
    this.#refused = null;
  }

  /** Settles in the commit of this row the calls that have ended since the previous row. */
  storedWith({ seq }: StoredRunEvent): readonly SqlStatement[] {
    if (this.#unsettled.length === 0) return [];
    const settled = this.#unsettled;
    this.#unsettled = [];
    return settled.flatMap((settlement) => this.#settleStatements(settlement, seq));
  }

  /** Settles what no row did, and frees what is still reserved. Never throws: the sweep frees what this could not. */
  async close(): Promise<void> {
    const free = [...this.#open].map((open) => ({ ...open, spent: { usd: 0, tokens: 0 } }));
    const left = [...this.#unsettled, ...free];
    this.#unsettled = [];
    this.#open.clear();
    if (left.length === 0) return;
    const statements = left.flatMap((settlement) => this.#settleStatements(settlement, null));
    const store = () => this.database.runAll(statements, "normal");
    await retry(store, { when: isBusy, delays: BUSY_DELAYS_MS }).catch((error: unknown) =>
      logger().error({ err: error, runId: this.#holder.runId }, "could not settle what a run has reserved"),
    );
  }

  get #holder() {
    const { run, holder } = this.budgeted;
    return holder === undefined ? { runId: run.id, epoch: run.epoch } : { runId: holder, epoch: 0 };
  }

  #settleStatements({ call, accounts, worst, spent }: Settlement, eventSeq: number | null): SqlStatement[] {
    const reserved = { usd: worst.usd ?? 0, tokens: worst.tokens };
    return settleStatements({ ...this.#holder, call, accounts, reserved, spent, eventSeq, now: new Date() });
  }

  async #call(model: ModelPort, request: ModelRequest, options: ModelCallOptions): Promise<ModelReply> {
    const open = this.#admitted ?? (await this.#reserve(request));
    this.#admitted = null;
    const meter = meterOf(options, this.budgeted.config.chars_per_token);
    try {
      const reply = await model.call(request, meter.options);
      this.#replies += 1;
      this.#settle(open, { usd: reply.costUsd ?? 0, tokens: reply.usage.inputTokens + reply.usage.outputTokens });
      return reply;
    } catch (error) {
      const isCharged = meter.hasStreamed() || options.signal.aborted;
      this.#settle(open, isCharged ? this.#estimate(open, meter.tokens()) : { usd: 0, tokens: 0 });
      throw error;
    }
  }

  #settle(open: OpenCall, spent: Settlement["spent"]): void {
    this.#open.delete(open);
    this.#unsettled.push({ ...open, spent });
  }

  #estimate({ worst: { usd, tokens, input } }: OpenCall, streamedTokens: number): Settlement["spent"] {
    const most = tokens - input.tokens;
    const written = Math.min(most, streamedTokens);
    const writtenUsd = usd === null || most === 0 ? 0 : ((usd - input.usd) * written) / most;
    return { usd: input.usd + writtenUsd, tokens: Math.round(input.tokens + written) };
  }

  async #reserve(request: ModelRequest): Promise<OpenCall> {
    const worst = worstCaseOf(request, this.budgeted);
    for (let attempt = 1; ; attempt++) {
      const now = new Date();
      const caps = capsOf(this.chain, await budgetRows(this.database), now);
      this.#calls += 1;
      const open: OpenCall = { call: this.#calls, accounts: caps.map(({ account }) => account), worst };
      const draws = caps.map((cap) => drawOf(cap, worst, this.#mayPass(cap)));
      if (await this.#hasRoom(open, draws, now)) {
        this.#isLast = false;
        this.#open.add(open);
        return open;
      }
      const known = await selectAccounts(this.database, open.accounts);
      const accounts = new Map(known.map((row) => [row.id, row]));
      const reached = caps.filter((_, index) => !fits(draws[index], accounts, worst));
      if (reached.length > 0 || attempt >= MAX_ATTEMPTS) throw await this.#reached(reached, accounts, worst);
    }
  }

  /** The last answer may exceed a budget that lets runs answer, or that a person lets it exceed. */
  #mayPass({ onReach }: Cap): boolean {
    return this.#isLast && (onReach === "final_answer" || (onReach === "wait" && this.#isAnswerWanted));
  }

  async #hasRoom({ call, worst }: OpenCall, draws: readonly Draw[], now: Date): Promise<boolean> {
    if (draws.length === 0) return true;
    const { usd, tokens, input } = worst;
    const request = { ...this.#holder, call, draws, usd: usd ?? 0, tokens, input, now };
    return retry(() => reserveCall(this.database, request), { when: isBusy, delays: BUSY_DELAYS_MS });
  }

  /** The strictest of the budgets decides what happens. */
  async #reached(caps: readonly Cap[], accounts: ReadonlyMap<string, BudgetAccountRow>, worst: WorstCase) {
    const cap = STRICTEST.flatMap((onReach) => caps.filter((one) => one.onReach === onReach))[0];
    if (!cap)
      return new AppError("unavailable", "The budgets are being changed too often to reserve a call. Try again.");
    const account = accounts.get(cap.account);
    await markReached(this.database, cap, new Date());
    const ask = await describeAsk(this.database, { cap, account, worst });
    const outcome = this.#outcomeOf(cap);
    return new BudgetReached(reachedText(ask, outcome), outcome, ask);
  }

  #outcomeOf({ onReach }: Cap): BudgetOutcome {
    const { run, input } = this.budgeted;
    const canAsk = input.canAsk ?? true;
    if (!canAsk && run.parentRunId === null && this.#replies === 0) return "refuse";
    if (onReach === "final_answer" && !this.#isLast && this.#replies > 0) return "final_answer";
    return onReach === "wait" && canAsk ? "wait" : "stop";
  }
}

const STRICTEST = ["stop", "final_answer", "wait"] as const;

/** The limits that a cap sets for a call. A call that may exceed the cap may do so only once. */
function drawOf({ account, budgetId, usd, tokens, onReach }: Cap, worst: WorstCase, mayPass: boolean): Draw {
  if (onReach === "warn") return { account, budgetId, limitUsd: null, limitTokens: null };
  const more = mayPass ? worst : { usd: 0, tokens: 0 };
  return {
    account,
    budgetId,
    limitUsd: usd === null || worst.usd === null ? null : usd + (more.usd ?? 0),
    limitTokens: tokens === null ? null : tokens + more.tokens,
  };
}

function fits(draw: Draw | undefined, accounts: ReadonlyMap<string, BudgetAccountRow>, worst: WorstCase): boolean {
  if (!draw) return true;
  const { usedUsd, reservedUsd, addedUsd, usedTokens, reservedTokens, addedTokens } =
    accounts.get(draw.account) ?? UNUSED;
  const { limitUsd, limitTokens } = draw;
  const isWithinUsd = limitUsd === null || usedUsd + reservedUsd + (worst.usd ?? 0) <= limitUsd + addedUsd + 1e-9;
  return (
    isWithinUsd && (limitTokens === null || usedTokens + reservedTokens + worst.tokens <= limitTokens + addedTokens)
  );
}

function worstCaseOf(request: ModelRequest, { model, config }: Pick<Budgeted, "model" | "config">): WorstCase {
  const input = estimateRequest(request, config.chars_per_token);
  const output = request.maxTokens;
  const usd = model.worstCostUsd?.({ input, output }) ?? null;
  const inputUsd = model.worstCostUsd?.({ input, output: 0 }) ?? 0;
  return { usd, tokens: input + output, input: { usd: inputUsd, tokens: input } };
}

/** Counts what a call streams. */
function meterOf(options: ModelCallOptions, charsPerToken: number) {
  let tokens = 0;
  let hasStreamed = false;
  const count = (delta: string) => {
    tokens += exactTokens(delta, charsPerToken);
    hasStreamed = true;
  };
  const watched: ModelCallOptions = {
    ...options,
    ...(options.onText
      ? {
          onText(delta: string) {
            count(delta);
            options.onText?.(delta);
          },
        }
      : {}),
    onReasoning(delta) {
      count(delta);
      options.onReasoning?.(delta);
    },
    onToolInput(toolCallId, name) {
      count(name);
      options.onToolInput?.(toolCallId, name);
    },
  };
  return { options: watched, tokens: () => tokens, hasStreamed: () => hasStreamed };
}

interface Refused {
  readonly reason: string;
  readonly outcome: BudgetOutcome;
  readonly ask: BudgetAsk;
}

/** The refusal or expiry of the last ask; null if it was allowed or nothing was asked. */
function findRefusal(events: readonly RunEvent[]): Refused | null {
  const asked = events.findLast((event) => event.type === "budget.reached");
  if (!asked) return null;
  const { toolCallId } = asked;
  const decided = events.findLast((event) => event.type === "interrupt.decided" && event.toolCallId === toolCallId);
  if (decided?.type !== "interrupt.decided" || decided.decision === "allow") return null;
  const isAnswer = BudgetRefusal.safeParse(decided.args).data?.final_answer === true;
  return { reason: refusedText(asked.budget, decided), outcome: isAnswer ? "final_answer" : "stop", ask: asked.budget };
}
