import type { RunOriginKind } from "@/lib/schema/runs/run";

/** A run's origin, in words. */
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
