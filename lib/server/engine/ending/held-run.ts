import { RunInput } from "@/lib/server/engine/run-input";
import type { HeldRun } from "./finish-run";

interface Row extends Omit<HeldRun, "status" | "transcriptPosition"> {
  readonly status: string;
  readonly input: string;
}

/** The run as its holder knows it, from its row. */
export function toHeldRun(row: Row): HeldRun {
  const { id, threadId, ownerId, agentId, traceId, assistantMessageId, segment, epoch } = row;
  const { transcriptPosition } = RunInput.parse(JSON.parse(row.input));
  const status = row.status === "queued" || row.status === "waiting" ? row.status : "running";
  return { id, threadId, ownerId, agentId, traceId, assistantMessageId, segment, epoch, status, transcriptPosition };
}
