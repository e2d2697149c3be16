import {
  Bell,
  BookMarked,
  CalendarClock,
  Inbox,
  ListTree,
  MessageSquare,
  ShieldCheck,
  SlidersHorizontal,
  SquareKanban,
} from "lucide-react";
import type { Role } from "@/lib/schema/users/user";

/** The product's main pages; `paths` are the path prefixes of each one's pages. */
const PLACES = [
  { id: "chat", label: "Chat", icon: MessageSquare, href: "/", paths: ["/threads", "/projects"] },
  { id: "traces", label: "Traces", icon: ListTree, href: "/traces", paths: ["/traces"] },
  { id: "boards", label: "Boards", icon: SquareKanban, href: "/boards", paths: ["/boards"] },
  { id: "schedules", label: "Schedules", icon: CalendarClock, href: "/schedules", paths: ["/schedules"] },
  { id: "admin", label: "Admin", icon: SlidersHorizontal, href: "/admin/agents", paths: ["/admin"] },
] as const;
/** Places linked from the rail's foot, the user menu and the palette. */
export const INBOX_PLACES = [
  { id: "inbox", label: "Inbox", icon: Inbox, href: "/inbox" },
  { id: "grants", label: "Allowed calls", icon: ShieldCheck, href: "/inbox/grants" },
  { id: "prompts", label: "Prompts", icon: BookMarked, href: "/prompts" },
  { id: "settings", label: "My settings", icon: Bell, href: "/settings/notifications" },
] as const;
export type Place = (typeof PLACES)[number];

/** Admin pages are for admins; the rest is for everybody who is signed in. */
export function placesFor(role: Role): readonly Place[] {
  return role === "admin" ? PLACES : PLACES.filter((place) => place.id !== "admin");
}

export function isAt(place: Place, pathname: string): boolean {
  return pathname === place.href || place.paths.some((path) => pathname === path || pathname.startsWith(`${path}/`));
}
