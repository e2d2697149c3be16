"use client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { GrantList } from "@/components/inbox/grant-list";
import { ShowMore } from "@/components/ui/show-more";
import { SkeletonList } from "@/components/ui/states/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/states/state-block";
import { grantsQuery } from "@/lib/client/chat/asks/decisions";
import { errorFacts } from "@/lib/client/http/error-facts";

/** The viewer's own allowed calls, as in the inbox: nobody may act for another person. */
export function GrantsPanel() {
  const query = useInfiniteQuery(grantsQuery);
  const grants = query.data?.pages.flatMap((page) => page.grants) ?? [];
  if (query.isPending) return <SkeletonList label="Loading the allowed calls" rows={6} className="p-2" />;
  if (query.isError && !query.data) {
    const { message, ...facts } = errorFacts(query.error);
    return (
      <ErrorState title="The allowed calls could not be loaded" {...facts} onRetry={() => void query.refetch()}>
        {message}
      </ErrorState>
    );
  }
  if (grants.length === 0) {
    return (
      <EmptyState title="No allowed calls">
        What you have allowed for a whole thread is listed here until it expires or you revoke it.
      </EmptyState>
    );
  }
  return (
    <>
      <GrantList grants={grants} />
      <ShowMore query={query} className="mx-auto max-w-[776px] px-6 pb-6 max-sm:px-3" />
    </>
  );
}
