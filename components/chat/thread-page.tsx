"use client";
import { useQuery } from "@tanstack/react-query";
import { ThreadView } from "@/components/chat/thread-view";
import { ThreadsDrawer } from "@/components/chat/threads/threads-drawer";
import { Page } from "@/components/shell/page";
import { PageHead } from "@/components/shell/page-head";
import { StartLink } from "@/components/shell/start-link";
import { EmptyState } from "@/components/ui/states/state-block";
import { threadQuery } from "@/lib/client/chat/thread-queries";
import { ApiError } from "@/lib/client/http/api";
import { loadedData } from "@/lib/client/http/loaded-data";
import type { ThreadDetail } from "@/lib/schema/threads/thread";

interface ThreadPageProps {
  initialDetail: ThreadDetail;
  /** Of before it was read. */
  feedRevision: string | null;
}

/** One thread, as long as it is there for this person. Mounted once per thread. */
export function ThreadPage({ initialDetail, feedRevision }: ThreadPageProps) {
  const { data, error } = useQuery({ ...threadQuery(initialDetail.id), ...loadedData(initialDetail, feedRevision) });
  if (error instanceof ApiError && error.status === 404) return <NoLongerHere />;
  return <ThreadView detail={data} />;
}

function NoLongerHere() {
  return (
    <Page>
      <PageHead title="Thread" lead={<ThreadsDrawer />} />
      <EmptyState
        title="This thread is no longer here"
        actions={<StartLink variant="primary">Start a thread</StartLink>}
      >
        It was deleted, or you are no longer a member of its project.
      </EmptyState>
    </Page>
  );
}
