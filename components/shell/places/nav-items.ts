import {
  BookMarked,
  BookOpen,
  CalendarClock,
  Inbox,
  ListTree,
  type LucideIcon,
  MessageSquare,
  ShieldCheck,
  SlidersHorizontal,
} from "lucide-react";
import type { Role } from "@/lib/schema/users/user";

export interface Place {
  readonly id: "chat" | "inbox" | "automations" | "traces" | "admin";
  readonly label: string;
  readonly icon: LucideIcon;
  readonly href: string;
  /** The path prefixes of its pages. */
  readonly paths: readonly string[];
  readonly roles: readonly Role[];
}

const EVERYBODY: readonly Role[] = ["viewer", "member", "admin"];

/** The product's main pages. A viewer starts nothing, so automations are not theirs. */
const NAV_ITEMS: readonly Place[] = [
  {
    id: "chat",
    label: "Chat",
    icon: MessageSquare,
    href: "/",
    paths: ["/threads", "/projects", "/prompts"],
    roles: EVERYBODY,
  },
  { id: "inbox", label: "Inbox", icon: Inbox, href: "/inbox", paths: ["/inbox"], roles: EVERYBODY },
  {
    id: "automations",
    label: "Automations",
    icon: CalendarClock,
    href: "/automations/schedules",
    paths: ["/automations"],
    roles: ["member", "admin"],
  },
  { id: "traces", label: "Traces", icon: ListTree, href: "/traces", paths: ["/traces"], roles: EVERYBODY },
  {
    id: "admin",
    label: "Admin",
    icon: SlidersHorizontal,
    href: "/admin/agents",
    paths: ["/admin"],
    roles: ["admin"],
  },
];

/** Pages that are part of a place, linked from the user menu and the palette. */
export const OWN_PAGES = [
  { id: "grants", label: "Allowed calls", icon: ShieldCheck, href: "/inbox/grants" },
  { id: "prompts", label: "Prompts", icon: BookMarked, href: "/prompts" },
  { id: "guide", label: "Guide", icon: BookOpen, href: "/guide" },
] as const;

export function placesFor(role: Role): readonly Place[] {
  return NAV_ITEMS.filter(({ roles }) => roles.includes(role));
}

export function isAt(place: Place, pathname: string): boolean {
  return pathname === place.href || place.paths.some((path) => pathname === path || pathname.startsWith(`${path}/`));
}
