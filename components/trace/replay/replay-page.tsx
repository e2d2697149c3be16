"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ListTree, RotateCcw, Square } from "lucide-react";
import { Page } from "@/components/shell/page";
import { PageHead } from "@/components/shell/page-head";
import { TraceLead } from "@/components/trace/trace-head";
import { Button, LinkButton } from "@/components/ui/controls/button";
import { NotFoundState } from "@/components/ui/states/not-found-state";
import { QueryState } from "@/components/ui/states/query-state";
import { Tag } from "@/components/ui/tag";
import { cancelReplay, openRuns, replayQuery } from "@/lib/client/trace/replay/replay-queries";
import { formatExact } from "@/lib/client/ui/text/format";
import { useAction } from "@/lib/client/ui/use-action";
import { versionLabel } from "@/lib/schema/runs/run-version";
import type { Replay } from "@/lib/schema/traces/replay";
import { ReplayView } from "./replay-view";

/** What came of a replay, beside its recording and its control. */
export function ReplayPage({ id }: { id: string }) {
  const query = useQuery(replayQuery(id));
  const replay = query.data;
  return (
    <Page>
      <PageHead
        lead={<TraceLead />}
        title={replay ? `Replay of “${replay.title ?? "Untitled run"}” from step ${replay.fromStep}` : "Replay"}
        facts={replay ? <Summary replay={replay} /> : null}
        actions={replay ? <Actions replay={replay} /> : null}
      />
      <QueryState
        what="replay"
        query={query}
        gone={
          <NotFoundState what="replay" listHref="/traces">
            It was deleted with the run that it replays, or it belongs to someone else.
          </NotFoundState>
        }
      >
        {(found) => <ReplayView replay={found} />}
      </QueryState>
    </Page>
  );
}

function Summary({ replay }: { replay: Replay }) {
  return (
    <>
      <Tag className="max-sm:hidden">
        {replay.agentName} {versionLabel(replay.agentVersion)}
      </Tag>
      <span className="tnum truncate text-xs text-muted max-lg:hidden">
        by {replay.ownerName}, {formatExact(Date.parse(replay.createdAt))}
      </span>
    </>
  );
}

function Actions({ replay }: { replay: Replay }) {
  const queryClient = useQueryClient();
  const { queryKey } = replayQuery(replay.id);
  const cancel = useAction({
    mutationFn: cancelReplay,
    onSuccess: (stopped) => queryClient.setQueryData(queryKey, stopped),
  });
  const tracePath = `/traces/${encodeURIComponent(replay.runId)}`;
  return (
    <>
      <LinkButton href={tracePath} variant="ghost" className="max-sm:hidden">
        <ListTree aria-hidden />
        Recorded run
      </LinkButton>
      <LinkButton href={`${tracePath}?replay=${replay.fromStep}`} variant="ghost">
        <RotateCcw aria-hidden />
        Replay again
      </LinkButton>
      {openRuns(replay) === 0 ? null : (
        <Button isPending={cancel.isPending} onPress={() => cancel.mutate(replay.id)}>
          <Square aria-hidden />
          Stop
        </Button>
      )}
    </>
  );
}
