import { TRIGGER_LABELS } from "@/lib/client/triggers/trigger-labels";
import type { RunOriginKind } from "@/lib/schema/runs/run";

/** A run's origin, in words. */
export const ORIGIN_LABELS: Readonly<Record<RunOriginKind, string>> = {
  chat: "Chat",
  api: "API",
  subagent: "Subagent",
  schedule: TRIGGER_LABELS.schedule.name,
  heartbeat: TRIGGER_LABELS.heartbeat.name,
  webhook: TRIGGER_LABELS.webhook.name,
  channel: TRIGGER_LABELS.chat.name,
  delegation: "Delegation",
  handoff: "Handoff",
  board: "Board",
  replay: "Replay",
};
