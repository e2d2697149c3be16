import { callJson } from "@/lib/client/ui/api";
import { CancelReply, CommandReply } from "@/lib/schema/thread";

const COMMAND = /^\/(stop|stopall|compact|new)$/i;

/** True for what is done at once instead of being sent to the agent. `/new` is the page's own. */
export function isTypedCommand(content: string): boolean {
  return COMMAND.test(content.trim());
}

/** Makes the server do it; returns what happened, as a sentence. */
export async function runTypedCommand(threadId: string, content: string): Promise<string> {
  const path = `/api/threads/${encodeURIComponent(threadId)}/messages`;
  return describeCommand(await callJson(CommandReply, path, { method: "POST", body: { content } }));
}

/** The same where there is no thread yet. */
export async function runCommandWithoutThread(content: string): Promise<string> {
  if (content.trim().toLowerCase() !== "/stopall") return "There is no conversation here yet.";
  const { cancelled } = await callJson(CancelReply, "/api/runs/cancel-all", { method: "POST" });
  return describeStop(cancelled);
}

export function describeCommand(reply: CommandReply): string {
  if (reply.command !== "compact") return describeStop(reply.cancelled);
  const { compacted, kept, dropped } = reply.compaction;
  if (dropped) return "A summary would not have been shorter, so everything stays as it is.";
  if (compacted === 0) return "There is nothing to summarise yet.";
  return `Summarised ${compacted} ${compacted === 1 ? "message" : "messages"}; the last ${kept} stay as they are.`;
}

function describeStop(cancelled: number): string {
  if (cancelled === 0) return "Nothing was running.";
  return cancelled === 1 ? "Stopped 1 run." : `Stopped ${cancelled} runs.`;
}
