"use client";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Folder, FolderOpen, FolderPlus } from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useParams } from "next/navigation";
import { useState } from "react";
import { useShell } from "@/components/shell/shell-context";
import { IconButton } from "@/components/ui/controls/icon-button";
import { threadQuery } from "@/lib/client/chat/thread-queries";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { projectsQuery } from "@/lib/client/projects/list-projects";
import { classNames } from "@/lib/client/ui/class-names";

const EditProject = dynamic(async () => (await loadWithRetry(() => import("./edit-project"))).EditProject, {
  ssr: false,
});

interface ProjectListProps {
  isArchive: boolean;
  onNavigate?: (() => void) | undefined;
}

/** The viewer's projects above their threads; the open thread's project is marked too. */
export function ProjectList({ isArchive, onNavigate }: ProjectListProps) {
  const { viewer } = useShell();
  const { projectId, threadId } = useParams<{ projectId?: string; threadId?: string }>();
  const thread = useQuery({ ...threadQuery(threadId ?? ""), enabled: false });
  const projects = useInfiniteQuery(projectsQuery(isArchive)).data ?? [];
  const [isAdding, setAdding] = useState(false);
  const mayAdd = viewer.scopes.includes("chat") && !isArchive;
  if (projects.length === 0 && !mayAdd) return null;
  const currentId = projectId ?? thread.data?.project?.id;
  return (
    <section aria-label="Projects" className="mb-3">
      <div className="flex h-7 items-center justify-between px-2 text-xs text-muted">
        <h3>Projects</h3>
        {mayAdd ? (
          <IconButton label="New project" size="xs" onPress={() => setAdding(true)}>
            <FolderPlus />
          </IconButton>
        ) : null}
      </div>
      <ul>
        {projects.map(({ id, name, threads }) => {
          const isHere = id === currentId;
          const Icon = isHere ? FolderOpen : Folder;
          return (
            <li key={id} className={classNames("rounded-md", isHere ? "bg-surface-tertiary" : "hover:bg-default")}>
              <Link
                href={`/projects/${id}`}
                onClick={() => onNavigate?.()}
                aria-current={id === projectId ? "page" : undefined}
                className="flex items-center gap-2 rounded-md px-2 py-1.5 touch-row"
              >
                <Icon className="size-3.5 shrink-0 text-muted" aria-hidden />
                <span className={classNames("min-w-0 flex-1 truncate", isHere && "font-medium")} title={name}>
                  {name}
                </span>
                <span className="tnum text-xs text-muted" title={threads === 1 ? "1 thread" : `${threads} threads`}>
                  {threads}
                </span>
              </Link>
            </li>
          );
        })}
      </ul>
      {isAdding ? <EditProject project={null} onClose={() => setAdding(false)} /> : null}
    </section>
  );
}
