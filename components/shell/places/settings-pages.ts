import { Bell, Brain, KeyRound, type LucideIcon, MessagesSquare, UserRound } from "lucide-react";
import type { Role } from "@/lib/schema/users/user";

interface SettingsPlace {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly href: string;
  readonly roles: readonly Role[];
}

const EVERYBODY: readonly Role[] = ["viewer", "member", "admin"];

/** The pages of a person's own settings. */
export const SETTINGS_PAGES: readonly SettingsPlace[] = [
  { href: "/settings/account", label: "Account", icon: UserRound, roles: EVERYBODY },
  { href: "/settings/notifications", label: "Notifications", icon: Bell, roles: EVERYBODY },
  { href: "/settings/channels", label: "My channels", icon: MessagesSquare, roles: ["member", "admin"] },
  { href: "/settings/memory", label: "What is remembered", icon: Brain, roles: EVERYBODY },
  { href: "/settings/keys", label: "API keys", icon: KeyRound, roles: ["member", "admin"] },
];
