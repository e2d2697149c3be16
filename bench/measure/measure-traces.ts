import { processServices } from "@/lib/server/wiring/services";
import { createRecorder, flushSpans, SpanBuffer } from "../../lib/server/traces/recorder";
import { openThread, ringmasterRun } from "../ringmaster-loop";
import { percentile } from "../statistics";

const SPANS = 4_000;
const BATCH = 20;

/**
 * The cost of a span to the loop from its start to its end, without the statement that stores it; ms, p99 of batches.
 */
export async function measureRecorder(): Promise<number> {
  const buffer = new SpanBuffer(processServices().database);
  const recorder = createRecorder(buffer, { traceId: "tr_bench", runId: "run_bench", rootId: "sp_bench" });
  const samples: number[] = [];
  for (let batch = 0; batch < SPANS / BATCH; batch += 1) {
    const startedAt = performance.now();
    for (let index = 0; index < BATCH; index += 1) {
      const span = recorder.startSpan({
        name: "tool.call",
        type: "tool",
        attributes: { step: index, tool_args: "{}" },
      });
      span.set({ output_length: 500, output_preview: "x".repeat(500) });
      span.end("completed");
    }
    samples.push((performance.now() - startedAt) / BATCH);
    await buffer.flush();
  }
  await processServices().database.span.deleteMany({ where: { runId: "run_bench" } });
  return percentile(samples, 0.99);
}

/**
 * A run of 50 steps with 4 KB of text each: bytes of its messages, spans and the texts they refer to, and how many
 * times more it would be if each model call's span also held a copy of what the model read.
 */
export async function measureStoredContent() {
  const { runId } = await ringmasterRun(await openThread([], "prompted"), "report", { agentId: "prompted" });
  const stored = await storedBytes(runId);
  return { storedBytes: stored, timesSmaller: (stored + (await copiedBytes(runId))) / stored };
}

async function storedBytes(runId: string): Promise<number> {
  await flushSpans();
  const [row] = await processServices().database.raw<{ bytes: number }>(
    `select (select sum(length("content") + coalesce(length("toolCalls"), 0)) from "message" where "runId" = $1)
      + (select sum(length("attributes") + coalesce(length("error"), 0)) from "span" where "runId" = $1)
      + (select coalesce(sum("sizeBytes"), 0) from "blob") as "bytes"`,
    [runId],
  );
  return row?.bytes ?? Number.NaN;
}

/** The system prompt and all messages before each reply, once per model call. */
async function copiedBytes(runId: string): Promise<number> {
  const messages = await processServices().database.message.findMany({
    where: { runId },
    orderBy: { position: "asc" },
  });
  const version = await processServices().database.agentVersion.findUniqueOrThrow({ where: { id: "av_prompted" } });
  const { system_prompt: prompt } = JSON.parse(version.config) as { system_prompt: string };
  let before = prompt.length;
  let copied = 0;
  for (const { role, content, toolCalls } of messages) {
    if (role === "assistant") copied += before;
    before += content.length + (toolCalls?.length ?? 0);
  }
  return copied;
}
