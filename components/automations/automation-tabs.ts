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
  { id: "schedules", name: "Schedules", href: "/automations/schedules", roles: EVERYBODY },
  { id: "heartbeats", name: "Heartbeats", href: "/automations/heartbeats", roles: EVERYBODY },
  { id: "boards", name: "Boards", href: "/automations/boards", roles: EVERYBODY },
  { id: "webhooks", name: "Webhooks", href: "/automations/webhooks", roles: ["admin"] },
  { id: "channels", name: "Channels", href: "/automations/channels", roles: ["admin"] },
];

/** Everything that starts runs by itself, by kind, as far as this role may open it. */
export function automationTabsFor(role: Role): readonly AutomationPlace[] {
  return TABS.filter(({ roles }) => roles.includes(role));
}
