"use client";
import { useQuery } from "@tanstack/react-query";
import { Bookmark, Ellipsis } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { useShell } from "@/components/shell/shell-context";
import { Button } from "@/components/ui/controls/button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { Menu } from "@/components/ui/overlays/menu";
import { TRACE_VIEWS_KEY } from "@/lib/client/http/query-keys";
import { createView, deleteView, traceViewsQuery, updateView } from "@/lib/client/trace/list/view-queries";
import { type TraceFilterState, viewQuery } from "@/lib/client/trace/use-trace-filters";
import { showToast } from "@/lib/client/ui/toast-store";
import { useAction } from "@/lib/client/ui/use-action";
import type { TraceView } from "@/lib/schema/traces/list/trace-view";
import { RenameViewDialog, SaveViewDialog } from "./view-dialogs";

/** For everybody, in the words of the address. */
const STANDARD_VIEWS = [
  { name: "All runs", query: "" },
  { name: "Waiting for you", query: "status=waiting" },
  { name: "Failed today", query: "status=failed&period=24h" },
  { name: "Over $0.50", query: "minCost=0.5" },
] as const;

/** What people look at again and again: the list under a few filters, and the views that the person has saved. */
export function TraceViews({ state }: { state: TraceFilterState }) {
  const { data: own = [] } = useQuery(traceViewsQuery);
  const shown = viewQuery(state.url);
  return (
    <nav aria-label="Views" className="pb-4">
      <h2 className="pb-1 text-xs text-muted">Views</h2>
      <ul className="flex flex-col">
        {STANDARD_VIEWS.map(({ name, query }) => (
          <li key={name} className="flex">
            <ViewLink name={name} query={query} shown={shown} />
          </li>
        ))}
        {own.map((view) => (
          <li key={view.id} className="flex">
            <ViewLink name={view.name} query={view.query} shown={shown} />
            <ViewMenu view={view} shown={shown} />
          </li>
        ))}
      </ul>
    </nav>
  );
}

function ViewLink({ name, query, shown }: { name: string; query: string; shown: string }) {
  return (
    <Link
      href={query === "" ? "/traces" : `/traces?${query}`}
      aria-current={query === shown ? "page" : undefined}
      className="flex min-h-7 min-w-0 flex-1 items-center rounded-sm text-sm text-muted touch-row hover:text-foreground aria-[current=page]:font-medium aria-[current=page]:text-foreground"
    >
      <span className="truncate">{name}</span>
    </Link>
  );
}

function ViewMenu({ view, shown }: { view: TraceView; shown: string }) {
  const [isRenaming, setRenaming] = useState(false);
  const update = useAction({
    mutationFn: () => updateView(view.id, { query: shown }),
    invalidates: [TRACE_VIEWS_KEY],
    onSuccess: () => showToast({ title: `${view.name} shows what you see now` }),
  });
  const restore = useAction({
    mutationFn: () => createView({ name: view.name, query: view.query }),
    invalidates: [TRACE_VIEWS_KEY],
  });
  const remove = useAction({
    mutationFn: () => deleteView(view.id),
    invalidates: [TRACE_VIEWS_KEY],
    onSuccess: () => showToast({ title: "View deleted", onUndo: () => restore.mutate() }),
  });
  return (
    <>
      <Menu
        label={`View ${view.name}`}
        trigger={
          <IconButton label={`Change ${view.name}`}>
            <Ellipsis />
          </IconButton>
        }
        actions={[
          { id: "rename", label: "Rename", onAction: () => setRenaming(true) },
          {
            id: "update",
            label: "Show what I see now",
            isDisabled: shown === view.query,
            onAction: () => update.mutate(),
          },
          { id: "delete", label: "Delete", isDanger: true, startsGroup: true, onAction: () => remove.mutate() },
        ]}
      />
      {isRenaming ? <RenameViewDialog view={view} onClose={() => setRenaming(false)} /> : null}
    </>
  );
}

/** Offered while the list shows what no view does. */
export function SaveViewButton({ state }: { state: TraceFilterState }) {
  const { viewer } = useShell();
  const { data: own } = useQuery(traceViewsQuery);
  const [isSaving, setSaving] = useState(false);
  const query = viewQuery(state.url);
  const isKnown = [...STANDARD_VIEWS, ...(own ?? [])].some((view) => view.query === query);
  if (viewer.role === "viewer" || own === undefined || (isKnown && !isSaving)) return null;
  return (
    <>
      <Button variant="ghost" onPress={() => setSaving(true)}>
        <Bookmark aria-hidden />
        <span className="max-md:sr-only">Save view</span>
      </Button>
      {isSaving ? <SaveViewDialog query={query} onClose={() => setSaving(false)} /> : null}
    </>
  );
}
