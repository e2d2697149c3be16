"use client";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Keyboard, LockKeyhole, LogOut, type LucideIcon, Monitor, Moon, Sun } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { automationTabsFor } from "@/components/automations/automation-tabs";
import { Mark } from "@/components/ui/mark";
import { StateRing } from "@/components/ui/states/state-ring";
import { agentsQuery, threadListQuery } from "@/lib/client/chat/thread-queries";
import type { Role, Viewer } from "@/lib/schema/users/user";
import { CommandPalette, type PaletteCommand, type PaletteGroup } from "./command-palette";
import { ADMIN_PLACES } from "./places/admin-places";
import { OWN_PAGES, placesFor } from "./places/places";
import { SETTINGS_PAGES } from "./places/settings-pages";
import { useShell } from "./shell-context";
import type { Theme } from "./user-menu";

export interface PaletteViewProps {
  viewer: Viewer;
  onTheme: (theme: Theme) => void;
  onShowKeys: () => void;
  onChangePassword: () => void;
  onSignOut: () => void;
  onClose: () => void;
}

/** Loaded when it is first opened. Threads are searched on the server, the rest here. */
export function PaletteView({ viewer, onClose, ...does }: PaletteViewProps) {
  const { go } = useShell();
  const [search, setSearch] = useState("");
  const q = useDeferredValue(search);
  const agents = useQuery(agentsQuery);
  const threads = useInfiniteQuery(threadListQuery({ q, archived: false }));
  const groups: PaletteGroup[] = [
    {
      name: "Pages",
      commands: pagesFor(viewer.role).map(({ label, icon: Icon, href }) => ({
        id: `page-${href}`,
        label,
        icon: <Icon aria-hidden />,
        onRun: () => go(href),
      })),
    },
    {
      name: "New thread with",
      commands: (agents.data ?? []).map((agent) => ({
        id: `agent-${agent.id}`,
        label: agent.name,
        hint: agent.description,
        icon: <Mark size={16} />,
        onRun: () => go(`/?agent=${agent.id}`),
      })),
    },
    {
      name: "Threads",
      isSearched: !threads.isPlaceholderData,
      commands: (threads.data?.pages[0]?.threads ?? []).slice(0, 20).map((thread) => ({
        id: `thread-${thread.id}`,
        label: thread.title ?? "New thread",
        hint: thread.agentName,
        icon: <StateRing status={thread.status ?? "queued"} />,
        onRun: () => go(`/threads/${thread.id}`),
      })),
    },
    {
      name: "Actions",
      commands: actions(does),
    },
  ];
  return <CommandPalette groups={groups} search={search} onSearch={setSearch} isOpen onClose={onClose} />;
}

interface PalettePage {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly href: string;
}

/** A place with tabs is listed by its tabs. */
function pagesFor(role: Role): readonly PalettePage[] {
  return [
    ...placesFor(role).flatMap((place): readonly PalettePage[] => {
      if (place.id === "admin") return ADMIN_PLACES.map(({ word, icon, href }) => ({ label: word, icon, href }));
      if (place.id !== "automations") return [place];
      return automationTabsFor(role).map(({ name, href }) => ({ label: name, icon: place.icon, href }));
    }),
    ...OWN_PAGES,
    ...SETTINGS_PAGES.filter(({ roles }) => roles.includes(role)),
  ];
}

function actions(does: Omit<PaletteViewProps, "viewer" | "onClose">): readonly PaletteCommand[] {
  return [
    { id: "system", label: "System theme", icon: <Monitor aria-hidden />, onRun: () => does.onTheme("system") },
    { id: "light", label: "Light theme", icon: <Sun aria-hidden />, onRun: () => does.onTheme("light") },
    { id: "dark", label: "Dark theme", icon: <Moon aria-hidden />, onRun: () => does.onTheme("dark") },
    { id: "keys", label: "Keys on this page", icon: <Keyboard aria-hidden />, shortcut: "?", onRun: does.onShowKeys },
    { id: "password", label: "Change password", icon: <LockKeyhole aria-hidden />, onRun: does.onChangePassword },
    { id: "sign-out", label: "Sign out", icon: <LogOut aria-hidden />, onRun: does.onSignOut },
  ];
}
