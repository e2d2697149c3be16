import {
  BookOpen,
  Bot,
  Brain,
  ChartColumn,
  Cpu,
  KeyRound,
  type LucideIcon,
  MessagesSquare,
  Plug,
  Puzzle,
  ScrollText,
  Settings,
  Users,
  Webhook,
} from "lucide-react";
import type { Role } from "@/lib/schema/users/user";

interface AdminPlace {
  readonly word: string;
  readonly icon: LucideIcon;
  readonly href: string;
  readonly roles: readonly Role[];
}

export interface AdminGroup {
  readonly name: string;
  readonly rows: readonly AdminPlace[];
}

/** The pages of the console. */
const GROUPS: readonly AdminGroup[] = [
  {
    name: "Build",
    rows: [
      { word: "Agents", icon: Bot, href: "/admin/agents", roles: ["admin"] },
      { word: "Skills", icon: BookOpen, href: "/admin/skills", roles: ["admin"] },
      { word: "Memory", icon: Brain, href: "/admin/memory", roles: ["admin"] },
      { word: "Tools", icon: Plug, href: "/admin/tools", roles: ["admin"] },
      { word: "Extensions", icon: Puzzle, href: "/admin/extensions", roles: ["admin"] },
    ],
  },
  {
    name: "Connect",
    rows: [
      { word: "Models", icon: Cpu, href: "/admin/providers", roles: ["admin"] },
      { word: "Channels", icon: MessagesSquare, href: "/admin/channels", roles: ["admin"] },
      { word: "Webhooks", icon: Webhook, href: "/admin/webhooks", roles: ["admin"] },
    ],
  },
  {
    name: "Govern",
    rows: [
      { word: "Users", icon: Users, href: "/admin/users", roles: ["admin"] },
      { word: "API keys", icon: KeyRound, href: "/admin/keys", roles: ["admin", "member"] },
      { word: "Audit", icon: ScrollText, href: "/admin/audit", roles: ["admin"] },
      { word: "Usage", icon: ChartColumn, href: "/admin/usage", roles: ["admin"] },
      { word: "Settings", icon: Settings, href: "/admin/settings", roles: ["admin"] },
    ],
  },
];

/** The pages that this role may open. */
export function adminGroupsFor(role: Role): readonly AdminGroup[] {
  return GROUPS.map(({ name, rows }) => ({ name, rows: rows.filter((row) => row.roles.includes(role)) })).filter(
    ({ rows }) => rows.length > 0,
  );
}
