"use client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Page } from "@/components/shell/page";
import { LinkButton } from "@/components/ui/controls/button";
import { ShowMore } from "@/components/ui/show-more";
import { QueryState } from "@/components/ui/states/query-state";
import { EmptyState } from "@/components/ui/states/state-block";
import { grantsQuery } from "@/lib/client/chat/asks/decisions";
import { useFocusKeeper } from "@/lib/client/ui/input/use-focus-keeper";
import { GrantList } from "./grant-list";
import { InboxHead } from "./inbox-head";

/** The calls that run without asking, because the viewer has allowed exactly these in a thread. */
export function GrantsPage() {
  const query = useInfiniteQuery(grantsQuery);
  const list = useFocusKeeper<HTMLDivElement>();
  const grants = query.data?.pages.flatMap((page) => page.grants) ?? [];
  return (
    <Page>
      <InboxHead />
      <div ref={list} tabIndex={-1} className="min-h-0 flex-1 overflow-y-auto outline-none">
        <QueryState
          what="allowed calls"
          query={query}
          rows={6}
          isEmpty={() => grants.length === 0}
          empty={
            <EmptyState title="No allowed calls" actions={<LinkButton href="/inbox">See what is waiting</LinkButton>}>
              “Allow this exact call” in an approval lets the same call run again in its thread without asking. It is
              listed here until it expires or you revoke it.
            </EmptyState>
          }
        >
          {() => <GrantList grants={grants} />}
        </QueryState>
        <ShowMore query={query} className="mx-auto max-w-[776px] px-6 pb-6 max-sm:px-3" />
      </div>
    </Page>
  );
}
