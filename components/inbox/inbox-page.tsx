"use client";
import { useQuery } from "@tanstack/react-query";
import { PageHead } from "@/components/shell/page-head";
import { Button, LinkButton } from "@/components/ui/button";
import { SkeletonList } from "@/components/ui/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/state-block";
import { Count } from "@/components/ui/tag";
import { approvalsQuery } from "@/lib/client/decisions";
import { errorFacts } from "@/lib/client/error-facts";
import type { Approval } from "@/lib/schema/interrupt";
import { InboxList } from "./inbox-list";

/** What waits for the viewer in any thread. */
export function InboxPage() {
  const { data, error, refetch } = useQuery(approvalsQuery);
  const count = data?.approvals.length ?? 0;
  return (
    <main className="flex min-w-0 flex-1 flex-col bg-surface">
      <PageHead
        title="Inbox"
        facts={count > 0 ? <Count signal>{data?.nextCursor == null ? count : `${count}+`}</Count> : null}
        actions={<Button onPress={() => void refetch()}>Refresh</Button>}
      />
      <div className="min-h-0 flex-1 overflow-y-auto">
        {data ? <Waiting approvals={data.approvals} /> : null}
        {!data && error ? (
          <ErrorState title="The inbox could not be loaded" {...errorFacts(error)} onRetry={() => void refetch()}>
            {errorFacts(error).message}
          </ErrorState>
        ) : null}
        {data || error ? null : <SkeletonList label="Loading the inbox" rows={6} className="p-2" />}
      </div>
    </main>
  );
}

function Waiting({ approvals }: { approvals: readonly Approval[] }) {
  if (approvals.length > 0) return <InboxList approvals={approvals} />;
  return (
    <EmptyState title="Nothing waits for you" actions={<LinkButton href="/">Start a thread</LinkButton>}>
      Approvals and questions of every thread are listed here until they are decided.
    </EmptyState>
  );
}
