import { TRIGGER_LABELS } from "@/lib/client/triggers/trigger-labels";
import type { TriggerNoun } from "@/lib/schema/triggers/trigger-noun";
import type { Role } from "@/lib/schema/users/user";

export type AutomationTab = "schedules" | "heartbeats" | "boards" | "webhooks" | "channels";

interface AutomationPlace {
  readonly id: AutomationTab;
  readonly name: string;
  readonly href: string;
  readonly roles: readonly Role[];
}

const EVERYBODY: readonly Role[] = ["viewer", "member", "admin"];

const TABS: readonly AutomationPlace[] = [
  tabOf("schedules", "schedule", EVERYBODY),
  tabOf("heartbeats", "heartbeat", EVERYBODY),
  { id: "boards", name: "Boards", href: "/automations/boards", roles: EVERYBODY },
  tabOf("webhooks", "webhook", ["admin"]),
  tabOf("channels", "chat", ["admin"]),
];

function tabOf(id: AutomationTab, noun: TriggerNoun, roles: readonly Role[]): AutomationPlace {
  const { plural: name, href } = TRIGGER_LABELS[noun];
  return { id, name, href, roles };
}

/** Everything that starts runs by itself, by kind, as far as this role may open it. */
export function automationTabsFor(role: Role): readonly AutomationPlace[] {
  return TABS.filter(({ roles }) => roles.includes(role));
}
