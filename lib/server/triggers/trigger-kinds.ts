import type { TriggerNoun } from "@/lib/schema/triggers/trigger-noun";
import { chatKind } from "./channels/links/chat-kind";
import { heartbeatKind } from "./heartbeat/heartbeat-kind";
import { scheduleKind } from "./schedules/schedule-kind";
import type { PlannedTrigger, RunPlan, TriggerKind } from "./trigger-kind";
import { webhookKind } from "./webhooks/webhook-kind";

/** Every kind of trigger; another one is a line here and its labels in `lib/client/triggers`. */
export const TRIGGER_KINDS: Readonly<Record<TriggerNoun, TriggerKind>> = {
  schedule: scheduleKind,
  heartbeat: heartbeatKind,
  webhook: webhookKind,
  chat: chatKind,
};

const BY_STORED = new Map(Object.values(TRIGGER_KINDS).flatMap((kind) => kind.stored.map((name) => [name, kind])));

export function triggerKindOf({ kind }: { readonly kind: string }): TriggerKind {
  const found = BY_STORED.get(kind);
  if (found === undefined) throw new Error(`There is no kind of trigger called ${kind}.`);
  return found;
}

export function runPlanOf(trigger: PlannedTrigger): RunPlan {
  return triggerKindOf(trigger).plan(trigger);
}
