"use client";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import {
  Bot,
  CalendarPlus,
  Keyboard,
  ListTree,
  LockKeyhole,
  LogOut,
  type LucideIcon,
  Monitor,
  Moon,
  SquarePen,
  Sun,
  UserPlus,
} from "lucide-react";
import { useDeferredValue, useState } from "react";
import { automationTabsFor } from "@/components/automations/automation-tabs";
import { ADMIN_PLACES } from "@/components/shell/places/admin-places";
import { OWN_PAGES, placesFor } from "@/components/shell/places/nav-items";
import { SETTINGS_PAGES } from "@/components/shell/places/settings-pages";
import { type PageAction, useShell } from "@/components/shell/shell-context";
import type { Theme } from "@/components/shell/user-menu";
import { Mark } from "@/components/ui/mark";
import { StateRing } from "@/components/ui/states/state-ring";
import { agentsQuery, threadListQuery } from "@/lib/client/chat/thread-queries";
import { threadHref } from "@/lib/client/chat/threads/thread-href";
import type { ThreadSnippet } from "@/lib/schema/threads/thread";
import type { Role, Viewer } from "@/lib/schema/users/user";
import { CommandPalette, type PaletteCommand, type PaletteGroup } from "./command-palette";
import { useNamed } from "./use-named";

export interface PaletteViewProps {
  viewer: Viewer;
  onTheme: (theme: Theme) => void;
  onShowKeys: () => void;
  onChangePassword: () => void;
  onSignOut: () => void;
  /** What can be done with what the page shows. */
  pageActions: readonly PageAction[];
  onClose: () => void;
}

/** Loaded when it is first opened. The server searches the texts of threads, and on its page those of traces. */
export function PaletteView({ viewer, pageActions, onClose, ...does }: PaletteViewProps) {
  const { go } = useShell();
  const [search, setSearch] = useState("");
  const q = useDeferredValue(search);
  const agents = useQuery(agentsQuery);
  const threads = useInfiniteQuery(threadListQuery({ q, archived: false }));
  const words = search.trim();
  const named = useNamed(viewer, words !== "", go);
  const groups: PaletteGroup[] = [
    { name: "This page", commands: pageActions },
    {
      name: "New",
      commands: VERBS.filter(({ roles }) => roles.includes(viewer.role)).map(({ label, icon: Icon, href }) => ({
        id: `new-${href}`,
        label,
        icon: <Icon aria-hidden />,
        onRun: () => go(href),
      })),
    },
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
        hint: thread.snippet ? snippetText(thread.snippet) : thread.agentName,
        icon: <StateRing status={thread.status ?? "queued"} />,
        onRun: () => go(threadHref(thread)),
      })),
    },
    ...named.groups,
    {
      name: "Actions",
      commands: actions(does),
    },
  ];
  const isFinding = q !== search || threads.isFetching || named.isLoading;
  return (
    <CommandPalette
      groups={groups}
      elsewhere={words === "" ? null : inTraces(words, go)}
      nothing={isFinding ? null : `Nothing is called “${words}”, and no thread contains it.`}
      search={search}
      onSearch={setSearch}
      isOpen
      onClose={onClose}
    />
  );
}

const VERBS: readonly (PalettePage & { readonly roles: readonly Role[] })[] = [
  { label: "New thread", icon: SquarePen, href: "/", roles: ["member", "admin"] },
  { label: "New schedule", icon: CalendarPlus, href: "/automations/schedules/new", roles: ["member", "admin"] },
  { label: "New agent", icon: Bot, href: "/admin/agents/new", roles: ["admin"] },
  { label: "Invite", icon: UserPlus, href: "/admin/people?invite=true", roles: ["admin"] },
];

/** What a run was asked, called, read and answered. */
function inTraces(words: string, go: (href: string) => void): PaletteGroup {
  const href = `/traces?${new URLSearchParams({ q: words })}`;
  const command = { id: "traces", label: `Search traces for “${words}”`, icon: <ListTree aria-hidden /> };
  return { name: "Elsewhere", commands: [{ ...command, onRun: () => go(href) }] };
}

function snippetText({ before, match, after }: ThreadSnippet): string {
  return `…${before}${match}${after}`;
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

function actions(does: Omit<PaletteViewProps, "viewer" | "pageActions" | "onClose">): readonly PaletteCommand[] {
  return [
    { id: "system", label: "System theme", icon: <Monitor aria-hidden />, onRun: () => does.onTheme("system") },
    { id: "light", label: "Light theme", icon: <Sun aria-hidden />, onRun: () => does.onTheme("light") },
    { id: "dark", label: "Dark theme", icon: <Moon aria-hidden />, onRun: () => does.onTheme("dark") },
    { id: "keys", label: "Keys on this page", icon: <Keyboard aria-hidden />, shortcut: "?", onRun: does.onShowKeys },
    { id: "password", label: "Change password", icon: <LockKeyhole aria-hidden />, onRun: does.onChangePassword },
    { id: "sign-out", label: "Sign out", icon: <LogOut aria-hidden />, onRun: does.onSignOut },
  ];
}
