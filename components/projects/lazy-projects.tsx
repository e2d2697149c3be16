"use client";
import { useInfiniteQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { projectsQuery } from "@/lib/client/projects/list-projects";

/** The projects above the groups of the thread list; their line has its height before they load. */
export const LazyProjectList = dynamic(async () => (await loadWithRetry(() => import("./project-list"))).ProjectList, {
  ssr: false,
  loading: ProjectListSpace,
});

function ProjectListSpace() {
  return <div className="mb-3 h-7" />;
}

/** In their place while they are hidden. Those that the page came with are kept, and up to date. */
export function HiddenProjectList() {
  useInfiniteQuery({ ...projectsQuery(false), enabled: ({ state }) => state.data !== undefined });
  return <ProjectListSpace />;
}

/** The same for several threads. */
export const LazyMoveThreads = dynamic(async () => (await loadWithRetry(() => import("./move-thread"))).MoveThreads, {
  ssr: false,
});

/** Few threads are moved: the dialog is loaded on demand. */
export const LazyMoveThread = dynamic(async () => (await loadWithRetry(() => import("./move-thread"))).MoveThread, {
  ssr: false,
});
