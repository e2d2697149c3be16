import type { RunStatus } from "@/lib/schema/run";
import { ToolDisplay } from "@/lib/schema/tool-display";
import type { ToolCallView } from "./transcript-steps";

const STATUS: Record<ToolCallView["state"], RunStatus> = {
  writing: "queued",
  running: "running",
  completed: "completed",
  failed: "failed",
};

/** The ring of a call. A command that ran but did not succeed is not well, though the call itself has completed. */
export function callStatus(call: Pick<ToolCallView, "state" | "display"> & Partial<ToolCallView>): RunStatus {
  if (wasRefused(call)) return "cancelled";
  if (call.state !== "completed") return STATUS[call.state];
  const display = ToolDisplay.safeParse(call.display);
  if (!display.success || display.data.kind !== "command" || display.data.exitCode === 0) return "completed";
  return display.data.exitCode === null ? "cancelled" : "failed";
}

/** A person did not let it run: nothing has failed. */
export function wasRefused({ approval }: Partial<Pick<ToolCallView, "approval">>): boolean {
  return approval?.status === "denied" || approval?.status === "declined";
}
