import { BookOpen, Bot, ChartColumn, Cpu, type LucideIcon, Plug, Settings, Users } from "lucide-react";

interface AdminPlace {
  readonly word: string;
  readonly icon: LucideIcon;
  readonly href: string;
}

/** The pages of the console, for administrators. */
export const ADMIN_PLACES: readonly AdminPlace[] = [
  { word: "Agents", icon: Bot, href: "/admin/agents" },
  { word: "Skills", icon: BookOpen, href: "/admin/skills" },
  { word: "Tools", icon: Plug, href: "/admin/tools" },
  { word: "Models", icon: Cpu, href: "/admin/models" },
  { word: "People", icon: Users, href: "/admin/people" },
  { word: "Usage", icon: ChartColumn, href: "/admin/usage" },
  { word: "Settings", icon: Settings, href: "/admin/settings" },
];
