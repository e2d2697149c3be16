import { endedUnfinished, RunStatus } from "@/lib/schema/runs/run";
import type { StoredRunEvent } from "@/lib/schema/runs/run-event";
import { endEvent } from "@/lib/server/engine/ending/plan";
import { NO_TRACE } from "@/lib/server/engine/trace-id";
import { uiProjection } from "@/lib/server/engine/transcript/project-ui";
import type { ChatChunk, ChatMessage } from "@/lib/server/engine/transcript/ui-projection-state";
import type { Database } from "@/lib/server/platform/db/database";
import type { RunRow } from "@/lib/server/platform/db/queries/runs";

/** What is left of a run whose events were deleted: how it ended, and its message if it has one. */
export interface RunWithoutEvents {
  readonly ending: StoredRunEvent;
  readonly message: ChatMessage | null;
  readonly status: RunStatus;
}

/** The columns of a run that are shown without its events. */
export type EndedRow = Pick<
  RunRow,
  | ("id" | "traceId" | "agentId" | "status" | "notice" | "cancelledBy" | "errorCode" | "errorMessage" | "steps")
  | ("costUsd" | "startedAt" | "endedAt")
>;

/** A run that has ended and no longer has events; null for one that never existed. */
export async function loadRunWithoutEvents(database: Database, runId: string): Promise<RunWithoutEvents | null> {
  const row = await database.run.findUnique({ where: { id: runId } });
  if (!row || endEvent(row) === null) return null;
  return runWithoutEvents(row, await database.transcriptMessage.findUnique({ where: { id: row.assistantMessageId } }));
}

/** The same of a run and its message that were read before; null if the run has not ended. */
export function runWithoutEvents(
  row: EndedRow,
  stored: { readonly id: string; readonly parts: string } | null,
): RunWithoutEvents | null {
  const event = endEvent(row);
  if (!event) return null;
  const endedAtMs = row.endedAt?.getTime() ?? 0;
  const { id: runId, agentId, steps, costUsd } = row;
  const traced = row.traceId === NO_TRACE ? {} : { traceId: row.traceId };
  const status = RunStatus.parse(row.status);
  const metadata = {
    runId,
    ...traced,
    ...(endedUnfinished(row) ? { journal: "gone" as const } : {}),
    agentId,
    status,
    steps,
    costUsd,
    endedAtMs,
  };
  const message: ChatMessage | null = stored && {
    id: stored.id,
    role: "assistant",
    parts: JSON.parse(stored.parts) as ChatMessage["parts"],
    metadata: { ...metadata, startedAtMs: row.startedAt?.getTime() ?? endedAtMs },
  };
  return { ending: { runId, seq: 1, at: endedAtMs, event }, message, status };
}

/** The chunks that reproduce the stored message; without one, those that end the stream. */
export function storedChunks({ message, ending }: RunWithoutEvents): ChatChunk[] {
  if (!message) return uiProjection()(ending);
  const isOpen = { step: false };
  const parts = message.parts.flatMap((part, index) => [
    ...(part.type === "step-start" && isOpen.step ? [{ type: "finish-step" as const }] : []),
    ...partChunks(part, index, isOpen),
  ]);
  const { metadata: messageMetadata } = message;
  return [
    { type: "start", messageId: message.id, ...(messageMetadata ? { messageMetadata } : {}) },
    ...parts,
    ...(isOpen.step ? [{ type: "finish-step" as const }] : []),
    { type: "finish" },
  ];
}

function partChunks(part: ChatMessage["parts"][number], index: number, isOpen: { step: boolean }): ChatChunk[] {
  const id = `${part.type}-${index}`;
  switch (part.type) {
    case "step-start":
      isOpen.step = true;
      return [{ type: "start-step" }];
    case "text":
    case "reasoning":
      return [
        { type: `${part.type}-start`, id },
        { type: `${part.type}-delta`, id, delta: part.text },
        { type: `${part.type}-end`, id },
      ];
    case "dynamic-tool":
      return toolChunks(part);
    default:
      return part.type.startsWith("data-") ? [part as ChatChunk] : [];
  }
}

function toolChunks(part: Extract<ChatMessage["parts"][number], { type: "dynamic-tool" }>): ChatChunk[] {
  const { toolCallId, toolName, input } = part;
  const call = { toolCallId, dynamic: true } as const;
  const asked: ChatChunk = { type: "tool-input-available", toolName, input, ...call };
  if (part.state === "output-available")
    return [asked, { type: "tool-output-available", output: part.output, ...call }];
  if (part.state === "output-error") return [asked, { type: "tool-output-error", errorText: part.errorText, ...call }];
  return [asked];
}
