"use client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { LinkButton } from "@/components/ui/controls/button";
import { ShowMore } from "@/components/ui/show-more";
import { SkeletonList } from "@/components/ui/states/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/states/state-block";
import { grantsQuery } from "@/lib/client/chat/asks/decisions";
import { errorFacts } from "@/lib/client/http/error-facts";
import { useFocusKeeper } from "@/lib/client/ui/input/use-focus-keeper";
import { GrantList } from "./grant-list";
import { InboxHead } from "./inbox-head";

/** The calls that run without asking, because the viewer has allowed exactly these in a thread. */
export function GrantsPage() {
  const query = useInfiniteQuery(grantsQuery);
  const list = useFocusKeeper<HTMLDivElement>();
  const grants = query.data?.pages.flatMap((page) => page.grants) ?? [];
  return (
    <main className="flex min-w-0 flex-1 flex-col bg-surface">
      <InboxHead />
      <div ref={list} tabIndex={-1} className="min-h-0 flex-1 overflow-y-auto outline-none">
        {query.data && grants.length === 0 ? (
          <EmptyState title="No allowed calls" actions={<LinkButton href="/inbox">See what is waiting</LinkButton>}>
            “Allow this exact call” in an approval lets the same call run again in its thread without asking. It is
            listed here until it expires or you revoke it.
          </EmptyState>
        ) : null}
        {grants.length > 0 ? <GrantList grants={grants} /> : null}
        <ShowMore query={query} className="mx-auto max-w-[776px] px-6 pb-6 max-sm:px-3" />
        {query.isError && !query.data ? (
          <ErrorState
            title="The allowed calls could not be loaded"
            {...errorFacts(query.error)}
            onRetry={() => void query.refetch()}
          >
            {errorFacts(query.error).message}
          </ErrorState>
        ) : null}
        {query.isPending ? <SkeletonList label="Loading the allowed calls" rows={6} className="p-2" /> : null}
      </div>
    </main>
  );
}
