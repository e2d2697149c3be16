"use client";
import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { usePageKeys, useShell } from "@/components/shell/shell-context";
import { StartLink } from "@/components/shell/start-link";
import { Button } from "@/components/ui/controls/button";
import { ShowMore } from "@/components/ui/show-more";
import { SkeletonList } from "@/components/ui/states/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/states/state-block";
import { inboxQuery } from "@/lib/client/chat/asks/decisions";
import { groupByThread } from "@/lib/client/chat/asks/inbox-groups";
import { callKey, type Decisions, DecisionsProvider, useDecide } from "@/lib/client/chat/asks/use-decisions";
import { useInboxChoice } from "@/lib/client/chat/asks/use-inbox-choice";
import { errorFacts } from "@/lib/client/http/error-facts";
import { usePageTitle } from "@/lib/client/ui/use-page-title";
import type { Approval } from "@/lib/schema/runs/interrupt";
import { InboxHead } from "./inbox-head";
import { InboxList } from "./inbox-list";

const INBOX_KEYS = [
  { keys: "↓ ↑", does: "Next, previous" },
  { keys: "y", does: "Allow once" },
  { keys: "n", does: "Deny" },
  { keys: "o", does: "Open the thread" },
] as const;

/** All asks that wait for the viewer, decided right here or in their threads. */
export function InboxPage() {
  const inbox = useInfiniteQuery(inboxQuery);
  const approvals = useMemo(() => inbox.data?.pages.flatMap((page) => page.approvals) ?? [], [inbox.data]);
  const total = inbox.data?.pages.at(-1)?.total ?? 0;
  const refresh = useMutation({ mutationFn: () => inbox.refetch() });
  usePageTitle("Inbox", false, total);
  usePageKeys(INBOX_KEYS);
  return (
    <main className="flex min-w-0 flex-1 flex-col bg-surface">
      <InboxHead
        actions={
          <Button isPending={refresh.isPending} onPress={() => refresh.mutate()}>
            Refresh
          </Button>
        }
      />
      <div className="min-h-0 flex-1 overflow-y-auto">
        {inbox.isError && inbox.data ? (
          <p role="alert" className="bg-fail-soft px-6 py-1.5 text-xs text-fail-text max-sm:px-3">
            Not refreshed: {errorFacts(inbox.error).message}
          </p>
        ) : null}
        {inbox.data && approvals.length === 0 ? <NothingWaits /> : null}
        <Waiting approvals={approvals} total={total} />
        <ShowMore
          query={inbox}
          label={`Show more: ${total - approvals.length} left`}
          className="mx-auto max-w-[776px] px-6 pb-6 max-sm:px-3"
        />
        {inbox.isError && !inbox.data ? (
          <ErrorState
            title="The inbox could not be loaded"
            {...errorFacts(inbox.error)}
            onRetry={() => void inbox.refetch()}
          >
            {errorFacts(inbox.error).message}
          </ErrorState>
        ) : null}
        {inbox.isPending ? <SkeletonList label="Loading the inbox" rows={6} className="p-2" /> : null}
      </div>
    </main>
  );
}

/** Stays mounted when the last item is decided, so that this is still read aloud. */
function Waiting({ approvals, total }: { approvals: readonly Approval[]; total: number }) {
  const groups = useMemo(() => groupByThread(approvals), [approvals]);
  const { go, viewer } = useShell();
  const { openId, toggle } = useInboxChoice(groups, go);
  const [decided, setDecided] = useState(false);
  const mayDecide = viewer.scopes.includes("chat");
  const decide = useDecide("inbox", async () => setDecided(true));
  const open = approvals.find(({ id }) => id === openId);
  const firstCall = open ? callKey(open.runId, open.toolCallId) : null;
  const decisions = useMemo<Decisions>(() => ({ decide, firstCall, asked: approvals }), [decide, firstCall, approvals]);
  return (
    <DecisionsProvider value={mayDecide ? decisions : null}>
      {approvals.length > 0 ? <InboxList groups={groups} openId={openId} onToggle={toggle} /> : null}
      <p role="status" className="sr-only">
        {decided ? `Decided. ${total === 0 ? "Nothing else is" : `${total} more`} waiting for you.` : ""}
      </p>
    </DecisionsProvider>
  );
}

function NothingWaits() {
  return (
    <EmptyState title="Nothing is waiting for you" actions={<StartLink>Start a thread</StartLink>}>
      Approvals and questions from every thread are listed here until they are decided.
    </EmptyState>
  );
}
