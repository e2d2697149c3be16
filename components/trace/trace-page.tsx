"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Page } from "@/components/shell/page";
import { PageHead } from "@/components/shell/page-head";
import { useShell } from "@/components/shell/shell-context";
import { NotFoundState } from "@/components/ui/states/not-found-state";
import { SkeletonList } from "@/components/ui/states/skeleton";
import { ErrorState } from "@/components/ui/states/state-block";
import { cancelRun } from "@/lib/client/chat/threads/thread-actions";
import { ApiError } from "@/lib/client/http/api";
import { summarizeError } from "@/lib/client/http/error-summary";
import { traceQuery } from "@/lib/client/trace/trace-queries";
import { useAction } from "@/lib/client/ui/use-action";
import type { Trace } from "@/lib/schema/traces/trace";
import { TraceActions, TraceLead, TraceTags } from "./trace-head";
import { TraceLayouts } from "./trace-layouts";

export interface TracePageProps {
  /** The trace's id or its run's. */
  id: string;
  viewerId: string;
}

/** Its agent's editor, with this run's input in the test chat. */
function draftHref({ agentId, runId }: Trace): string {
  return `/admin/agents/${encodeURIComponent(agentId)}?run=${encodeURIComponent(runId)}`;
}

/** Other people's threads can't be opened, and that of a replay takes no messages. */
function threadHref({ ownerId, threadId, origin }: Trace, viewerId: string): string | null {
  return ownerId === viewerId && origin.kind !== "replay" ? `/threads/${threadId}` : null;
}

/** One trace, growing while its run is active. */
export function TracePage({ id, viewerId }: TracePageProps) {
  const query = useQuery(traceQuery(id));
  const { viewer } = useShell();
  const queryClient = useQueryClient();
  const stop = useAction({
    mutationFn: cancelRun,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: traceQuery(id).queryKey }),
  });
  const trace = query.data;
  return (
    <Page>
      <PageHead
        lead={<TraceLead />}
        title={trace ? (trace.title ?? "Untitled run") : "Trace"}
        facts={trace ? <TraceTags trace={trace} /> : null}
        actions={
          trace ? (
            <TraceActions
              trace={trace}
              threadHref={threadHref(trace, viewerId)}
              draftHref={viewer.scopes.includes("admin") ? draftHref(trace) : null}
              isStopping={stop.isPending || stop.isSuccess}
              onStop={() => stop.mutate(trace.runId)}
            />
          ) : null
        }
      />
      <Body trace={trace} error={query.error} onRetry={() => void query.refetch()} />
    </Page>
  );
}

function Body({ trace, error, onRetry }: { trace?: Trace; error: Error | null; onRetry: () => void }) {
  if (trace) return <TraceLayouts trace={trace} />;
  if (error === null) return <SkeletonList label="Loading the trace" rows={18} rowHeight={24} className="p-4" />;
  if (error instanceof ApiError && error.status === 404) {
    return (
      <NotFoundState what="trace" listHref="/traces">
        It was deleted, or it belongs to someone else.
      </NotFoundState>
    );
  }
  const { message, ...facts } = summarizeError(error);
  return (
    <ErrorState title="The trace could not be loaded" {...facts} onRetry={onRetry}>
      {message}
    </ErrorState>
  );
}
