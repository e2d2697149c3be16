"use client";
import { useInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useDeferredValue, useRef, useState } from "react";
import { Initials } from "@/components/chat/transcript/user-message";
import { Button } from "@/components/ui/controls/button";
import { SearchField } from "@/components/ui/controls/search-field";
import { Segments } from "@/components/ui/controls/segments";
import { SkeletonList } from "@/components/ui/states/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/states/state-block";
import { StateChip } from "@/components/ui/states/state-ring";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { summarizeError } from "@/lib/client/http/error-summary";
import { projectThreadsQuery } from "@/lib/client/projects/project-queries";
import { traceNote } from "@/lib/client/trace/trace-note";
import { useRowKeys } from "@/lib/client/ui/input/use-row-keys";
import type { Project } from "@/lib/schema/projects/project";
import type { ThreadListItem, ThreadState } from "@/lib/schema/threads/thread";

const VIEWS = [
  { id: "all", name: "All" },
  { id: "waiting", name: "Waiting" },
  { id: "running", name: "Running" },
  { id: "mine", name: "Mine" },
] as const;
type ViewId = (typeof VIEWS)[number]["id"];

const COLUMNS = [
  { id: "status", label: "Status" },
  { id: "thread", label: "Thread" },
  { id: "agent", label: "Agent", className: "max-md:hidden" },
  { id: "files", label: "Files", className: "max-lg:hidden" },
  { id: "by", label: "By", className: "max-sm:hidden" },
  { id: "last", label: "Last", align: "right" as const },
];

/** The project's threads, with filters and a search; `j` and `k` move between them. */
export function ProjectThreads({ project, viewerId }: { project: Project; viewerId: string }) {
  const [view, setView] = useState<ViewId>("all");
  const [search, setSearch] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const q = useDeferredValue(search.trim());
  const state: ThreadState | null = view === "waiting" || view === "running" ? view : null;
  const list = useInfiniteQuery(projectThreadsQuery(project.id, { q, mine: view === "mine", state }));
  const threads = list.data ?? [];
  useRowKeys(body, { row: "a[data-row]", control: "a[data-row]", others: { s: () => field.current?.focus() } });
  const isNarrowed = q !== "" || view !== "all";
  return (
    <div ref={body} className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto w-full max-w-[1080px] px-6 pb-6 max-sm:px-0">
        <div className="flex flex-wrap items-center gap-2 py-3 max-sm:px-3">
          <Segments
            label="Threads to show"
            options={VIEWS.map((one) => ({ ...one, count: project.counts[one.id] }))}
            value={view}
            onChange={(id) => setView(VIEWS.find((one) => one.id === id)?.id ?? "all")}
          />
          <span className="flex-1" />
          <SearchField
            label="Search in this project"
            placeholder="Search in this project"
            inputRef={field}
            value={search}
            onChange={setSearch}
            className="w-56 max-sm:w-full"
          />
        </div>
        {list.isPending ? <SkeletonList label="Loading the threads" rows={6} rowHeight={34} /> : null}
        {list.isError && threads.length === 0 ? (
          <ErrorState
            title="The threads could not be loaded"
            {...summarizeError(list.error)}
            onRetry={() => void list.refetch()}
          >
            {summarizeError(list.error).message}
          </ErrorState>
        ) : null}
        {list.isSuccess && threads.length === 0 ? (
          isNarrowed ? (
            <EmptyState
              title="No matches"
              actions={
                <Button
                  onPress={() => {
                    setSearch("");
                    setView("all");
                  }}
                >
                  Show all
                </Button>
              }
            >
              No thread in this project matches the search and the filter.
            </EmptyState>
          ) : (
            <EmptyState title="No threads yet">Instructions and files are ready.</EmptyState>
          )
        ) : null}
        {threads.length === 0 ? null : (
          <>
            <Table label="Threads of the project">
              <TableHead columns={COLUMNS} />
              <tbody>
                {threads.map((thread) => (
                  <ThreadRow key={thread.id} thread={thread} viewerId={viewerId} />
                ))}
              </tbody>
            </Table>
            {list.hasNextPage ? (
              <Button
                variant="ghost"
                className="mt-2 w-full"
                isPending={list.isFetchingNextPage}
                onPress={() => void list.fetchNextPage()}
              >
                Load more
              </Button>
            ) : null}
            <p className="px-4 pt-3 text-xs text-muted">
              Threads with project files share one workspace: what one writes, the others see.
            </p>
          </>
        )}
      </div>
    </div>
  );
}

function ThreadRow({ thread, viewerId }: { thread: ThreadListItem; viewerId: string }) {
  const { project, status } = thread;
  const isOthers = project !== undefined && project.startedBy.id !== viewerId;
  return (
    <TableRow>
      <TableCell>
        {status === null ? (
          <span className="text-muted">New</span>
        ) : (
          <StateChip
            status={status}
            note={noteOf(thread)}
            {...(status === "waiting" && isOthers ? { word: "Waiting" } : {})}
          />
        )}
      </TableCell>
      <TableCell className="max-w-0 w-full">
        <Link data-row href={`/threads/${thread.id}`} className="block truncate font-medium hover:underline">
          {thread.title ?? "New thread"}
        </Link>
      </TableCell>
      <TableCell className="text-muted max-md:hidden">{thread.agentName}</TableCell>
      <TableCell className="text-muted max-lg:hidden">{filesOf(thread)}</TableCell>
      <TableCell className="max-sm:hidden">
        {project === undefined ? null : (
          <span title={project.startedBy.name}>
            <Initials name={project.startedBy.name} />
            <span className="sr-only">{project.startedBy.name}</span>
          </span>
        )}
      </TableCell>
      <TableCell align="right" className="text-xs text-muted">
        <Time at={thread.updatedAt} />
      </TableCell>
    </TableRow>
  );
}

/** "step 7", "question", "25 steps". */
function noteOf({ status, facts }: ThreadListItem): string | null {
  if (status === null || facts === undefined) return null;
  return status === "waiting" ? facts.waitingFor : traceNote({ ...facts, status, error: null });
}

/** Whose files the thread works on, and whether its agent only reads them. */
function filesOf({ project, facts }: ThreadListItem): string {
  if (facts?.fileAccess === "none") return "no files";
  const files = project?.files === "thread" ? "own files" : "project files";
  return facts?.fileAccess === "read" ? `${files}, read only` : files;
}
