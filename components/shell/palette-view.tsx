"use client";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { LogOut, Moon, Sun } from "lucide-react";
import { useRouter } from "next/navigation";
import { useDeferredValue, useState } from "react";
import { Mark } from "@/components/ui/mark";
import { StateRing } from "@/components/ui/state-ring";
import { agentsQuery, threadListQuery } from "@/lib/client/queries";
import type { Viewer } from "@/lib/schema/user";
import { CommandPalette, type PaletteGroup } from "./command-palette";
import { placesFor } from "./places";
import type { Theme } from "./user-menu";

export interface PaletteViewProps {
  viewer: Viewer;
  onTheme: (theme: Theme) => void;
  onSignOut: () => void;
  onClose: () => void;
}

/** Loaded when it is first opened. Threads are searched on the server, the rest here. */
export function PaletteView({ viewer, onTheme, onSignOut, onClose }: PaletteViewProps) {
  const router = useRouter();
  const [search, setSearch] = useState("");
  const q = useDeferredValue(search);
  const agents = useQuery(agentsQuery);
  const threads = useInfiniteQuery(threadListQuery({ q, archived: false }));
  const groups: PaletteGroup[] = [
    {
      name: "Pages",
      commands: placesFor(viewer.role).map((place) => ({
        id: `page-${place.id}`,
        label: place.label,
        icon: <place.icon aria-hidden />,
        onRun: () => router.push(place.href),
      })),
    },
    {
      name: "New thread with",
      commands: (agents.data ?? []).map((agent) => ({
        id: `agent-${agent.id}`,
        label: agent.name,
        hint: agent.description,
        icon: <Mark size={16} />,
        onRun: () => router.push(`/?agent=${agent.id}`),
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
        onRun: () => router.push(`/threads/${thread.id}`),
      })),
    },
    {
      name: "Actions",
      commands: [
        { id: "light", label: "Light theme", icon: <Sun aria-hidden />, onRun: () => onTheme("light") },
        { id: "dark", label: "Dark theme", icon: <Moon aria-hidden />, onRun: () => onTheme("dark") },
        { id: "sign-out", label: "Sign out", icon: <LogOut aria-hidden />, onRun: onSignOut },
      ],
    },
  ];
  return <CommandPalette groups={groups} search={search} onSearch={setSearch} isOpen onClose={onClose} />;
}
