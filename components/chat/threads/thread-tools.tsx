"use client";
import { useQuery } from "@tanstack/react-query";
import { Archive, ArchiveRestore, Download, FolderInput, ListChecks, Trash2, X } from "lucide-react";
import { useState } from "react";
import { LazyMoveThreads } from "@/components/projects/lazy-projects";
import { Button } from "@/components/ui/controls/button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { Select } from "@/components/ui/controls/select";
import { Menu } from "@/components/ui/overlays/menu";
import { agentsQuery } from "@/lib/client/chat/thread-queries";
import { exportThreadsUrl } from "@/lib/client/chat/threads/thread-actions";
import { useBulkActions } from "@/lib/client/chat/threads/use-bulk-actions";
import type { ThreadSelection } from "@/lib/client/chat/threads/use-thread-selection";
import type { ThreadState, ThreadSummary } from "@/lib/schema/threads/thread";

/** The list's filters; null if there are none. */
export interface ListFilters {
  readonly agentId: string | null;
  readonly state: ThreadState | null;
}

const ANY = "any";
const STATES = [
  { id: ANY, name: "Any state" },
  { id: "running", name: "Running" },
  { id: "waiting", name: "Waiting" },
  { id: "completed", name: "Completed" },
  { id: "stopped", name: "Stopped" },
  { id: "failed", name: "Failed" },
] as const satisfies readonly { id: ThreadState | typeof ANY; name: string }[];

export interface ThreadToolsProps {
  filters: ListFilters;
  onFilters: (filters: ListFilters) => void;
  selection: ThreadSelection;
  isArchive: boolean;
  /** The list's threads. */
  threads: readonly ThreadSummary[];
}

/** Below the search: filters and bulk actions. */
export function ThreadTools({ filters, onFilters, selection, isArchive, threads }: ThreadToolsProps) {
  const agents = useQuery(agentsQuery);
  if (selection.ids !== null) return <BulkBar ids={[...selection.ids]} {...{ selection, isArchive, threads }} />;
  return (
    <div className="mx-2 mb-2 flex shrink-0 items-center gap-1">
      <Select
        look="bare"
        label="Agent"
        className="flex-1"
        options={[{ id: ANY, name: "All agents" }, ...(agents.data ?? []).map(({ id, name }) => ({ id, name }))]}
        value={filters.agentId ?? ANY}
        onChange={(id) => onFilters({ ...filters, agentId: id === ANY ? null : id })}
      />
      <Select
        look="bare"
        label="State"
        className="flex-1"
        options={STATES}
        value={filters.state ?? ANY}
        onChange={(id) =>
          onFilters({
            ...filters,
            state: STATES.flatMap((one) => (one.id === id && one.id !== ANY ? [one.id] : []))[0] ?? null,
          })
        }
      />
      <IconButton label="Select threads" onPress={selection.start}>
        <ListChecks />
      </IconButton>
    </div>
  );
}

interface BulkBarProps extends Pick<ThreadToolsProps, "selection" | "isArchive" | "threads"> {
  ids: readonly string[];
}

function BulkBar({ selection, ids, isArchive, threads }: BulkBarProps) {
  const [isMoving, setMoving] = useState(false);
  const { archive, remove, move, isPending } = useBulkActions(selection.end);
  const isDisabled = ids.length === 0 || isPending;
  return (
    <div role="toolbar" aria-label="Selected threads" className="mx-2 mb-2 flex shrink-0 items-center gap-0.5">
      <span role="status" className="tnum min-w-0 flex-1 truncate px-1 text-xs text-muted">
        {ids.length} selected
      </span>
      <Button variant="ghost" size="sm" onPress={selection.all}>
        All
      </Button>
      <IconButton
        label={isArchive ? "Unarchive" : "Archive"}
        isDisabled={isDisabled}
        onPress={() => archive(ids, !isArchive)}
      >
        {isArchive ? <ArchiveRestore /> : <Archive />}
      </IconButton>
      {isDisabled ? (
        <IconButton label="Export" isDisabled>
          <Download />
        </IconButton>
      ) : (
        <Menu
          label="Export"
          trigger={
            <IconButton label="Export">
              <Download />
            </IconButton>
          }
          actions={[
            { id: "md", label: "Markdown", href: exportThreadsUrl(ids, "md") },
            { id: "json", label: "JSON", href: exportThreadsUrl(ids, "json") },
          ]}
        />
      )}
      <IconButton label="Move to a project" isDisabled={isDisabled} onPress={() => setMoving(true)}>
        <FolderInput />
      </IconButton>
      <IconButton label="Delete" isDisabled={isDisabled} onPress={() => remove(ids)}>
        <Trash2 />
      </IconButton>
      <IconButton label="Stop selecting" onPress={selection.end}>
        <X />
      </IconButton>
      {isMoving ? (
        <LazyMoveThreads
          count={ids.length}
          onMove={(project) => move(ids, project, homesOf(threads))}
          onClose={() => setMoving(false)}
        />
      ) : null}
    </div>
  );
}

/** The project of each thread that is in one. */
function homesOf(threads: readonly ThreadSummary[]): ReadonlyMap<string, string> {
  return new Map(threads.flatMap(({ id, project }) => (project === undefined ? [] : [[id, project.id] as const])));
}
