import { formatTokens } from "@/lib/client/ui/text/format";
import type { RunStatus } from "@/lib/schema/runs/run";
import { ToolDisplay } from "@/lib/schema/tools/tool-display";
import type { ToolCallView } from "./transcript-steps";

const STATUS: Record<ToolCallView["state"], RunStatus> = {
  writing: "queued",
  running: "running",
  completed: "completed",
  failed: "failed",
};

/**
 * A call's status ring. A command that ran but did not succeed is not shown as completed, although the call itself has
 * completed.
 */
export function callStatus(call: Pick<ToolCallView, "state" | "display"> & Partial<ToolCallView>): RunStatus {
  if (refusalWord(call) !== null) return "cancelled";
  if (call.state !== "completed") return STATUS[call.state];
  const display = ToolDisplay.safeParse(call.display);
  if (!display.success || display.data.kind !== "command" || display.data.exitCode === 0) return "completed";
  return display.data.exitCode === null ? "cancelled" : "failed";
}

const REFUSALS = { declined: "denied", expired: "expired", rule: "not allowed" } as const;

/** Why the call never ran, in one word: it then neither failed nor took time. Null for a call that ran. */
export function refusalWord({ approval, refused }: Partial<Pick<ToolCallView, "approval" | "refused">>): string | null {
  if (refused) return REFUSALS[refused];
  if (approval?.status === "denied" || approval?.status === "declined") return REFUSALS.declined;
  return approval?.status === "expired" ? REFUSALS.expired : null;
}

/** "grep, read_file ×2, ls": the names in a folded run, in order of first call. */
export function runGist(calls: readonly Pick<ToolCallView, "name">[]): string {
  const counts = new Map<string, number>();
  for (const { name } of calls) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => (count === 1 ? name : `${name} ×${count}`)).join(", ");
}

/** Shown if eviction cut what the model read. */
export function truncationText(truncatedChars: number): string {
  return `${formatTokens(truncatedChars)} characters were left out of what the model read`;
}
