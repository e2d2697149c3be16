import "server-only";
import type { Tool } from "@/lib/agent/tools/tool";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import { answersChat } from "@/lib/schema/runs/run";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import type { Database } from "@/lib/server/platform/db/database";
import type { Services } from "@/lib/server/platform/services";
import { MESSAGE } from "@/lib/tools/message";
import { isToolNamed } from "@/lib/tools/offer-tools";

/** `message`, for the run of an agent whose `tools` include it; other runs load nothing. */
export async function messageTools(services: Services, run: ClaimedRun, config: AgentConfig): Promise<Tool[]> {
  if (!isToolNamed(config, MESSAGE)) return [];
  const [{ messageTool }, { messengerOf }] = await Promise.all([
    import("@/lib/tools/message"),
    import("@/lib/server/channels/messenger"),
  ]);
  return [messageTool(await messengerOf(services, run, config))];
}

/** Section 12: how text must be formatted in the chat that receives the answer; other runs have none. */
export async function messagingSections(database: Database, run: ClaimedRun) {
  const { originDetails } = run;
  if (originDetails === null || !answersChat(run)) return [];
  const { channelFormat } = await import("@/lib/server/triggers/channels/channel-format");
  return channelFormat(database, originDetails);
}
