import type { Hook } from "@/lib/agent/hooks/hook";
import { messageOf } from "@/lib/agent/hooks/hook-chain";
import { summaryPair } from "@/lib/agent/messages/summary-pair";
import type { ModelPort, PromptSection } from "@/lib/agent/model";
import { RunSuspended } from "@/lib/agent/run-cancelled";
import type { SpanHandle, TraceRecorder } from "@/lib/agent/run-context";
import { belowSpan } from "@/lib/agent/tracing/below-span";
import { canFlush, flushMemory } from "@/lib/context/flush-memory";
import {
  type CompactionHistory,
  estimateHistory,
  findCompactionCut,
  isCompactionDue,
  isFlushDue,
  shrinks,
} from "@/lib/context/plan-compaction";
import { summarizeHistory } from "@/lib/context/summarize-history";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { CompactionData, CompactReply } from "@/lib/schema/runs/compaction";
import { addSpending, NO_SPENDING, type Spending, UNKNOWN_SPENDING } from "@/lib/schema/runs/usage";
import type { AgentVersion } from "@/lib/server/engine/agent-version";
import { followUpCalls } from "@/lib/server/engine/budgets/follow-up-calls";
import { openRunBudget } from "@/lib/server/engine/budgets/run-budget";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import type { EnginePorts, TracePort } from "@/lib/server/engine/ports";
import { RunInput } from "@/lib/server/engine/run-input";
import { loadModelHistory, type ModelHistory } from "@/lib/server/engine/transcript/load-model-history";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { claimFlush } from "@/lib/server/platform/db/queries/paths";
import { logger } from "@/lib/server/platform/logger";
import { saveCompaction } from "./save-compaction";
import { unlockDeadThreads, withThreadLock } from "./thread-lock";

/** The parts of the installation that compaction uses. */
export interface CompactionParts {
  readonly model: ModelPort;
  readonly system: readonly PromptSection[];
  /** The hooks of a memory flush (`flushMemory`); null if there are no files to write. */
  readonly flushHooks: ((config: AgentConfig) => readonly Hook[]) | null;
  /** Whether spans of model calls record the model's input. */
  readonly isVerbose: boolean;
}

export interface CompactionDependencies {
  readonly database: Database;
  readonly versionOfRun: EnginePorts["versionOfRun"];
  readonly build: (run: ClaimedRun, version: AgentVersion) => Promise<CompactionParts>;
  /** Records spans below the root span of an ended run. */
  readonly recorder: (run: ClaimedRun) => Promise<TraceRecorder>;
  readonly endLateSpans: TracePort["endLateSpans"];
  /** Stores the recorders' spans; never throws. */
  readonly flushSpans: () => Promise<void>;
}

export interface CompactionRequest {
  /** The last run of the path to compact: the marker is placed after it, and its trace gets the spans. */
  readonly run: ClaimedRun;
  readonly version: AgentVersion;
  /** `due`: only if the thresholds are reached. `now`: a person asked. */
  readonly when: "due" | "now";
  readonly signal: AbortSignal;
}

/** `busy`: the thread is already being compacted. `dropped`: the summary was no shorter than what it would replace. */
export type CompactionOutcome =
  | { readonly kind: "busy" | "nothing" | "dropped" }
  | { readonly kind: "done"; facts: CompactReply };

/**
 * Compacts a thread's stored history (S4 phase 7): takes the thread's lock or returns, flushes memory, summarises all
 * but the last messages, saves summary, cut and counter in one transaction. Throws when the summary fails; then counter
 * and history are unchanged, and the cycle counts as flushed if the flush was done (D-52).
 */
export async function compactHistory(
  dependencies: CompactionDependencies,
  asked: CompactionRequest,
): Promise<CompactionOutcome> {
  const { database } = dependencies;
  const request = { ...asked, version: await dependencies.versionOfRun(asked.run, asked.version) };
  if ((await findWork(database, request)) === null) return { kind: "nothing" };
  // Taking over a dead process's lock would leave the spans of its compaction open.
  await unlockDeadThreads(database, "expired", dependencies);
  const outcome = await withThreadLock(
    database,
    request.run.threadId,
    async (lockOwner): Promise<CompactionOutcome> => {
      const work = await findWork(database, request);
      return work === null ? { kind: "nothing" } : compactTraced(dependencies, { ...request, work, lockOwner });
    },
  );
  return outcome ?? { kind: "busy" };
}

interface Work {
  readonly stored: ModelHistory;
  readonly history: CompactionHistory;
  /** How many of the messages the summary will replace. */
  readonly cut: number;
  readonly cutId: string;
}

type Job = CompactionRequest & { readonly work: Work; readonly lockOwner: string };

async function findWork(database: Database, { run, version, when }: CompactionRequest): Promise<Work | null> {
  const { config } = version;
  const path = { threadId: run.threadId, leaf: run.id };
  const stored = await loadModelHistory(database, path, config.compaction.placement);
  const history = { pair: stored.pair, messages: stored.messages };
  if (when === "due" && !isCompactionDue(history, config)) return null;
  const cut = findCompactionCut(stored.messages, config.compaction.keep_last);
  const cutId = stored.messages[cut - 1]?.id;
  return cutId === undefined ? null : { stored, history, cut, cutId };
}

async function compactTraced(dependencies: CompactionDependencies, job: Job): Promise<CompactionOutcome> {
  const { work, run, signal } = job;
  const { config } = job.version;
  const built = await dependencies.build(run, job.version);
  const calls = followUpCalls(dependencies.database, run, {
    model: built.model,
    charsPerToken: config.chars_per_token,
  });
  const budget = await openRunBudget(dependencies.database, {
    run,
    config,
    input: RunInput.parse(JSON.parse(run.input)),
    before: [],
    model: calls.model,
    holder: `compaction ${job.lockOwner}`,
  });
  const parts = { ...built, model: budget?.model ?? calls.model };
  const trace = await dependencies.recorder(run);
  const kept = work.stored.messages.length - work.cut;
  const span = trace.startSpan({
    name: "compaction",
    type: "summary",
    attributes: {
      message_count: work.cut,
      kept_count: kept,
      estimated_tokens: estimateHistory(work.history, config),
      estimated: true,
      note: `${work.cut} messages summarised, ${kept} kept`,
    },
  });
  const used: Used = { spent: NO_SPENDING };
  try {
    const data = await compact(dependencies.database, { ...job, parts, span, trace: belowSpan(trace, span.id), used });
    if (data === null) {
      span.set({ note: DROPPED_NOTE });
      span.end("completed");
      return { kind: "dropped" };
    }
    span.set({ tokens_after: data.tokensAfter, compaction_count: data.count, content_length: data.summary.length });
    span.end("completed");
    const { compacted, tokensBefore, tokensAfter } = data;
    return { kind: "done", facts: { compacted, kept: data.kept, tokensBefore, tokensAfter, estimated: true } };
  } catch (error) {
    span.end(signal.reason instanceof RunSuspended ? "interrupted" : "failed", messageOf(error));
    throw error;
  } finally {
    await budget?.close();
    await calls.settle(used.spent);
    // Before the lock is released: after that nothing would end the spans if this process died.
    await dependencies.flushSpans();
  }
}

/** The usage of the model calls so far, kept outside so that it survives a failure. */
interface Used {
  spent: Spending;
}

interface Attempt extends Job {
  readonly parts: CompactionParts;
  readonly span: SpanHandle;
  readonly trace: TraceRecorder;
  readonly used: Used;
}

const DROPPED_NOTE = "The summary would not have been shorter than what it replaces, so it was dropped";

/** Null if the summary was dropped: nothing is saved. */
async function compact(database: Database, attempt: Attempt): Promise<CompactionData | null> {
  const { work, version, parts, trace, signal, used, run, lockOwner } = attempt;
  const { config } = version;
  const { stored, history, cut, cutId } = work;
  const memoryFlushed = await flushIfDue(database, attempt);
  const earlier = stored.summary === null ? [] : summaryPair(stored.summary, stored.compactionCount).slice(0, 1);
  const old = [...earlier, ...stored.messages.slice(0, cut)];
  const reply = await summarizeHistory(old, {
    config,
    model: parts.model,
    trace,
    isVerbose: parts.isVerbose,
    signal,
  }).catch((error: unknown) => {
    used.spent = addSpending(used.spent, UNKNOWN_SPENDING);
    throw error;
  });
  used.spent = addSpending(used.spent, reply);
  const replaced = { messages: stored.messages.slice(0, cut), summary: stored.summary };
  if (!shrinks(reply.content, replaced, config)) return null;
  const kept = stored.messages.slice(cut);
  const count = stored.compactionCount + 1;
  const pair = config.compaction.placement === "pair" ? summaryPair(reply.content, count) : [];
  const data: CompactionData = {
    compacted: cut,
    kept: kept.length,
    tokensBefore: estimateHistory(history, config),
    tokensAfter: estimateHistory({ pair, messages: kept }, config),
    estimated: true,
    count,
    memoryFlushed,
    summary: reply.content,
  };
  await saveCompaction(database, { run, lockOwner, cutId, data });
  return data;
}

async function flushIfDue(database: Database, attempt: Attempt): Promise<boolean> {
  const { run, version, parts, work, trace, signal, used } = attempt;
  const { config } = version;
  const { model, system, flushHooks: hooks } = parts;
  if (hooks === null || !canFlush(config) || !isFlushDue(work.history, config)) return false;
  const { id: runId, traceId, threadId, agentId, ownerId: userId } = run;
  const flush = { id: createId("flu"), threadId, afterRunId: runId, count: work.stored.compactionCount };
  if (!(await claimFlush(database, flush))) return false;
  const spent = await flushMemory({
    config,
    model,
    system,
    hooks,
    history: [...work.history.pair, ...work.history.messages],
    environment: {
      runId,
      traceId,
      threadId,
      agentId,
      userId,
      signal,
      trace,
      now: Date.now,
      createId,
      logLine: (level, message, fields) => logger()[level]({ runId, ...fields }, message),
    },
  });
  used.spent = addSpending(used.spent, spent);
  return true;
}
