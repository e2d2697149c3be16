"use client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Folder } from "lucide-react";
import Link from "next/link";
import { QueryState } from "@/components/ui/states/query-state";
import { EmptyState } from "@/components/ui/states/state-block";
import { Count } from "@/components/ui/tag";
import { projectsQuery } from "@/lib/client/projects/list-projects";

/** The start page of somebody who may only read: the projects that they are readers of. */
export function SharedWithYou() {
  const projects = useInfiniteQuery(projectsQuery(false));
  return (
    <QueryState what="projects" query={projects}>
      {(found) =>
        found.length === 0 ? (
          <EmptyState title="Nothing is shared with you yet">
            Projects appear here when somebody adds you to one; a shared thread opens by its link. To start threads of
            your own, ask an administrator to make you a member.
          </EmptyState>
        ) : (
          <div className="mx-auto w-full max-w-[728px] px-6 py-8 max-sm:px-4">
            <h2 className="mb-3 text-lg font-semibold">Threads shared with you</h2>
            <ul className="divide-y divide-separator rounded-lg border border-border">
              {found.map(({ id, name, threads }) => (
                <li key={id}>
                  <Link
                    href={`/projects/${encodeURIComponent(id)}`}
                    className="flex min-h-11 items-center gap-2.5 px-3 py-2 text-sm hover:bg-default"
                  >
                    <Folder className="size-4 shrink-0 text-muted" aria-hidden />
                    <span className="min-w-0 flex-1 truncate font-medium">{name}</span>
                    <Count>{threads}</Count>
                  </Link>
                </li>
              ))}
            </ul>
            <p className="mt-3 text-xs text-muted">You read these. An administrator can make you a member.</p>
          </div>
        )
      }
    </QueryState>
  );
}
