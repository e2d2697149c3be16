import type { TriggerNoun } from "@/lib/schema/triggers/trigger-noun";

interface TriggerLabel {
  /** One of them. */
  readonly name: string;
  readonly plural: string;
  /** Their page. */
  readonly href: string;
}

/** What people call each kind of trigger, and where they find it. */
export const TRIGGER_LABELS: Readonly<Record<TriggerNoun, TriggerLabel>> = {
  schedule: { name: "Schedule", plural: "Schedules", href: "/automations/schedules" },
  heartbeat: { name: "Heartbeat", plural: "Heartbeats", href: "/automations/heartbeats" },
  webhook: { name: "Webhook", plural: "Webhooks", href: "/automations/webhooks" },
  chat: { name: "Channel", plural: "Channels", href: "/automations/channels" },
};
