"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Diff } from "@/components/ui/code/diff";
import { SkeletonList } from "@/components/ui/states/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/states/state-block";
import { type ChangedPart, changedParts } from "@/lib/client/chat/context/compare-requests";
import { lastRequestQuery } from "@/lib/client/chat/context/context-queries";
import type { RequestText } from "@/lib/client/chat/context/request-parts";
import { diffRows } from "@/lib/client/files/diff-rows";
import { summarizeError } from "@/lib/client/http/error-summary";
import { classNames } from "@/lib/client/ui/class-names";
import { formatCount } from "@/lib/client/ui/text/format";

/** How the next request differs from the one that the last model call sent, part by part. */
export function RequestChanges({ threadId, request }: { threadId: string; request: RequestText }) {
  const query = useQuery(lastRequestQuery(threadId));
  if (query.isError) {
    return (
      <ErrorState
        title="The earlier request could not be loaded"
        {...summarizeError(query.error)}
        onRetry={() => void query.refetch()}
      >
        {summarizeError(query.error).message}
      </ErrorState>
    );
  }
  if (!query.data) return <SkeletonList label="Loading the earlier request" className="flex-1 p-4" />;
  const { step, request: earlier } = query.data;
  if (earlier === null) {
    return (
      <EmptyState title={`What step ${step} sent is no longer kept`}>
        Traces are cleaned up after a while. The next step can be compared again.
      </EmptyState>
    );
  }
  const changed = changedParts(earlier, request);
  if (changed.length === 0) {
    return <EmptyState title="Nothing has changed">The next call sends what step {step} sent.</EmptyState>;
  }
  return <Changes changed={changed} />;
}

const KINDS: Readonly<Record<ChangedPart["kind"], string>> = { changed: "changed", added: "new", removed: "gone" };
const LOOKS: Readonly<Record<ChangedPart["kind"], string>> = {
  changed: "text-muted",
  added: "text-ok-text",
  removed: "text-fail-text",
};

function Changes({ changed }: { changed: readonly ChangedPart[] }) {
  const [selected, setSelected] = useState<string | null>(null);
  const shown = changed.find(({ part }) => part.id === selected) ?? changed[0];
  if (shown === undefined) return null;
  const { part, kind, before, after } = shown;
  return (
    <div className="flex min-h-0 flex-1 max-sm:flex-col">
      <nav
        aria-label="Changed parts"
        className="w-[248px] shrink-0 overflow-y-auto border-r border-border p-2 max-sm:h-40 max-sm:w-auto max-sm:border-r-0 max-sm:border-b"
      >
        <ul>
          {changed.map((change) => (
            <li key={change.part.id}>
              <button
                type="button"
                aria-pressed={change === shown}
                onClick={() => setSelected(change.part.id)}
                className={classNames(
                  "flex h-7 w-full items-center gap-2 rounded-md px-2 text-left text-sm touch-row hover:bg-default",
                  change === shown && "bg-selection font-medium",
                )}
              >
                <span className="max-w-[60%] shrink-0 truncate">{change.part.name}</span>
                <span className="min-w-0 flex-1 truncate text-xs font-normal text-muted">{change.part.gist}</span>
                <span className={classNames("text-xs font-normal", LOOKS[change.kind])}>{KINDS[change.kind]}</span>
              </button>
            </li>
          ))}
        </ul>
      </nav>
      <section aria-label="Change" className="flex min-h-0 min-w-0 flex-1 flex-col">
        <header className="flex min-h-9 shrink-0 flex-wrap items-center gap-x-2 border-b border-border px-4 py-1 text-xs">
          <h3 className="min-w-0 truncate text-sm font-medium">{part.name}</h3>
          <span className={LOOKS[kind]}>{KINDS[kind]}</span>
          <span className="flex-1" />
          <span className="tnum text-muted">about {formatCount(part.tokens)} tokens</span>
        </header>
        <div className="min-h-0 flex-1 overflow-auto bg-code">
          <Diff
            key={part.id}
            rows={diffRows(before, after)}
            path={`${part.name}.${part.language === "json" ? "json" : "md"}`}
          />
        </div>
      </section>
    </div>
  );
}
