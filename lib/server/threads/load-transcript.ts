import { z } from "zod";
import { RunStatus } from "@/lib/schema/run";
import type { TranscriptMessage } from "@/lib/schema/thread";
import type { MessageMetadata } from "@/lib/schema/ui-message";
import type { Usage } from "@/lib/schema/usage";
import type { Database } from "../db";
import { usageOfRow } from "../runs/run-row";

const Parts = z.array(z.looseObject({ type: z.string() }));

const RUN_FACTS = {
  id: true,
  traceId: true,
  agentId: true,
  status: true,
  steps: true,
  inputTokens: true,
  cachedReadTokens: true,
  cachedWriteTokens: true,
  outputTokens: true,
  reasoningTokens: true,
  costUsd: true,
  startedAt: true,
  endedAt: true,
} as const;

/**
 * The thread's UI messages in order: the users' of every run, the assistant's of those that have ended, with the
 * metadata that the live stream gives them. The caller has checked who may see the thread.
 */
export async function loadTranscript(database: Database, threadId: string): Promise<TranscriptMessage[]> {
  const [rows, runs, traces] = await Promise.all([
    database.transcriptMessage.findMany({ where: { threadId }, orderBy: { position: "asc" } }),
    database.run.findMany({ where: { threadId }, select: RUN_FACTS }),
    database.trace.findMany({ where: { threadId }, select: { runId: true, model: true } }),
  ]);
  const models = new Map(traces.map((trace) => [trace.runId, trace.model]));
  const metadata = new Map(runs.map((run) => [run.id, runMetadata(run, models.get(run.id) ?? null)]));
  return rows.map((row) => ({
    id: row.id,
    role: row.role === "user" ? "user" : "assistant",
    parts: Parts.parse(JSON.parse(row.parts)),
    ...(row.role === "user" ? {} : { metadata: metadata.get(row.runId) }),
  }));
}

interface RunFacts extends Usage {
  readonly id: string;
  readonly traceId: string;
  readonly agentId: string;
  readonly status: string;
  readonly steps: number;
  readonly costUsd: number | null;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
}

function runMetadata(run: RunFacts, model: string | null): MessageMetadata {
  return {
    runId: run.id,
    traceId: run.traceId,
    agentId: run.agentId,
    status: RunStatus.parse(run.status),
    steps: run.steps,
    usage: usageOfRow(run),
    costUsd: run.costUsd,
    ...(model === null ? {} : { model }),
    ...(run.startedAt === null ? {} : { startedAtMs: run.startedAt.getTime() }),
    ...(run.endedAt === null ? {} : { endedAtMs: run.endedAt.getTime() }),
  };
}
