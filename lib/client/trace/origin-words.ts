import type { RunOriginKind } from "@/lib/schema/runs/run";

/** What started a run, in words. */
export const ORIGIN_WORDS: Readonly<Record<RunOriginKind, string>> = {
  chat: "Chat",
  api: "API",
  subagent: "Subagent",
  schedule: "Schedule",
  heartbeat: "Heartbeat",
  webhook: "Webhook",
  channel: "Channel",
  delegation: "Delegation",
  handoff: "Handoff",
  board: "Board",
  replay: "Replay",
};
