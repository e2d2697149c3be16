import { processServices } from "@/lib/server/wiring/services";
import type { Message } from "../lib/schema/messages/message";
import { startRun } from "../lib/server/engine/accept";
import { hashMessage } from "../lib/server/engine/transcript/message-hash";
import { createId } from "../lib/server/platform/create-id";
import { streamRun } from "../lib/server/views/stream-run";
import type { ChatMessage } from "./loop-options";

/** The agents of the bench: see installation.ts. */
export type BenchAgent = "bench" | "paced" | "prompted";

/** A new thread of the bench's user; `history` becomes the stored messages before the question. */
export async function openThread(history: readonly ChatMessage[] = [], agentId: BenchAgent = "bench"): Promise<string> {
  const id = createId("th");
  await processServices().database.thread.create({ data: { id, ownerId: "u1", agentId, clientId: id } });
  await processServices().database.message.createMany({
    data: history.map((message, position) => ({
      id: createId("msg"),
      threadId: id,
      runId: "history",
      position,
      role: message.role,
      content: String(message.content),
      bodyHash: hashMessage(readStored(message)),
    })),
  });
  return id;
}

function readStored({ role, content }: ChatMessage): Message {
  const text = String(content);
  return role === "assistant" ? { role, content: text, toolCalls: [] } : { role: "user", content: text };
}

/** A run's inputs besides its question, and its progress listeners. */
interface RunOptions {
  readonly agentId?: BenchAgent;
  readonly onFirstText?: (elapsedMs: number, runId: string) => void;
}

/**
 * One run, from accepting the message to the last byte of the browser's event stream: journal, spans, hooks and stream
 * all on. Resolves with the bytes streamed and the time of the first text.
 */
export async function ringmasterRun(threadId: string, question: string, options: RunOptions = {}) {
  const { agentId = "bench", onFirstText } = options;
  const startedAt = performance.now();
  const messages = [{ role: "user" as const, content: question }];
  const { runId, traceId } = await startRun(processServices().database, { ownerId: "u1", threadId, agentId, messages });
  const signal = new AbortController().signal;
  const response = streamRun(
    processServices(),
    { runId, traceId, clientThreadId: threadId },
    { format: "ui", cursor: 0, signal },
  );
  let bytes = 0;
  let firstTextMs: number | null = null;
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (firstTextMs === null && decoder.decode(chunk).includes("text-delta")) {
      firstTextMs = performance.now() - startedAt;
      onFirstText?.(firstTextMs, runId);
    }
  }
  if (firstTextMs === null) throw new Error(`Run ${runId} streamed no text.`);
  return { runId, bytes, firstTextMs };
}
