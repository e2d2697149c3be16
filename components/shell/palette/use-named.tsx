"use client";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { BookOpen, CalendarClock, Columns3, Folder, type LucideIcon, UserRound, Wrench } from "lucide-react";
import { boardsQuery } from "@/lib/client/boards/board-queries";
import { projectsQuery } from "@/lib/client/projects/list-projects";
import { schedulesQuery } from "@/lib/client/schedules/schedule-queries";
import { installedSkillsQuery } from "@/lib/client/skills/skill-queries";
import { availableToolsQuery } from "@/lib/client/tools/tool-queries";
import { everyUserQuery } from "@/lib/client/users/user-queries";
import type { Viewer } from "@/lib/schema/users/user";
import type { PaletteCommand, PaletteGroup } from "./command-palette";

interface Named {
  readonly name: string;
  readonly hint?: string;
  readonly href: string;
}

/** As many as one looks through; more letters find the others. */
const MOST = 8;

/** What people gave a name, and the tools: loaded with the first letter that is searched. */
export function useNamed({ role }: Viewer, isSearching: boolean, go: (href: string) => void) {
  const starts = isSearching && role !== "viewer";
  const projects = useInfiniteQuery({ ...projectsQuery(false), enabled: isSearching });
  const schedules = useQuery({ ...schedulesQuery, enabled: starts, refetchInterval: false });
  const boards = useQuery({ ...boardsQuery, enabled: starts });
  const skills = useQuery({ ...installedSkillsQuery, enabled: isSearching && role === "admin" });
  const people = useQuery({ ...everyUserQuery, enabled: isSearching && role === "admin" });
  const tools = useQuery({ ...availableToolsQuery, enabled: isSearching });
  const isLoading = [projects, schedules, boards, skills, people, tools].some((query) => query.isLoading);
  const group = (name: string, icon: LucideIcon, named: readonly Named[] = []): PaletteGroup => ({
    name,
    most: MOST,
    commands: named.map((one) => commandOf(one, icon, go)),
  });
  const groups = [
    group(
      "Projects",
      Folder,
      projects.data?.map(({ id, name }) => ({ name, href: pathTo("/projects", id) })),
    ),
    group(
      "Schedules",
      CalendarClock,
      schedules.data?.map(({ id, name }) => ({ name, href: pathTo("/automations/schedules", id) })),
    ),
    group(
      "Boards",
      Columns3,
      boards.data?.map(({ id, name }) => ({ name, href: pathTo("/automations/boards", id) })),
    ),
    group(
      "Skills",
      BookOpen,
      skills.data?.map(({ name, description }) => ({ name, hint: description, href: pathTo("/admin/skills", name) })),
    ),
    group(
      "Runs of",
      UserRound,
      people.data?.map(({ id, name, email }) => ({ name, hint: email, href: runsWith("person", id) })),
    ),
    group(
      "Runs that called",
      Wrench,
      tools.data?.map(({ name, description }) => ({ name, hint: description, href: runsWith("tool", name) })),
    ),
  ];
  return { groups: isSearching ? groups : [], isLoading };
}

function commandOf({ name, hint, href }: Named, Icon: LucideIcon, go: (href: string) => void): PaletteCommand {
  return { id: href, label: name, hint, icon: <Icon aria-hidden />, onRun: () => go(href) };
}

function pathTo(place: string, id: string): string {
  return `${place}/${encodeURIComponent(id)}`;
}

function runsWith(filter: "person" | "tool", value: string): string {
  return `/traces?${new URLSearchParams({ [filter]: value })}`;
}
