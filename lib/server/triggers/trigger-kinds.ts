import type { ChannelLink } from "@/lib/schema/channels/channel-link";
import type { Heartbeat } from "@/lib/schema/triggers/heartbeat";
import type { Schedule } from "@/lib/schema/triggers/schedule";
import type { TriggerNoun } from "@/lib/schema/triggers/trigger-noun";
import type { IncomingWebhook } from "@/lib/schema/webhooks/webhook";
import { chatKind } from "./channels/links/chat-kind";
import { heartbeatKind } from "./heartbeat/heartbeat-kind";
import { scheduleKind } from "./schedules/schedule-kind";
import type { PlannedTrigger, RunPlan, TriggerKind } from "./trigger-kind";
import { webhookKind } from "./webhooks/webhook-kind";

/** A trigger of each kind as the API shows it. */
export interface ShownTriggers {
  readonly schedule: Schedule;
  readonly heartbeat: Heartbeat;
  readonly webhook: IncomingWebhook;
  readonly chat: ChannelLink;
}

/** Every kind of trigger; another one is a line here and its labels in `lib/client/triggers`. */
export const TRIGGER_KINDS: { readonly [Noun in TriggerNoun]: TriggerKind<unknown, ShownTriggers[Noun]> } = {
  schedule: scheduleKind,
  heartbeat: heartbeatKind,
  webhook: webhookKind,
  chat: chatKind,
};

const ALL: readonly TriggerKind[] = Object.values(TRIGGER_KINDS);
const BY_STORED = new Map(ALL.flatMap((kind) => kind.stored.map((name) => [name, kind])));

export function triggerKindOf({ kind }: { readonly kind: string }): TriggerKind {
  const found = BY_STORED.get(kind);
  if (found === undefined) throw new Error(`There is no kind of trigger called ${kind}.`);
  return found;
}

export function runPlanOf(trigger: PlannedTrigger): RunPlan {
  return triggerKindOf(trigger).plan(trigger);
}
