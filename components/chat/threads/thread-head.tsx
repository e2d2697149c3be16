"use client";
import { ListTree, PanelRight, Pencil, Share2 } from "lucide-react";
import Link from "next/link";
import { useMemo, useState } from "react";
import { RunningClock } from "@/components/chat/transcript/tool-outcome";
import { LazyMoveThread } from "@/components/projects/lazy-projects";
import { PageHead } from "@/components/shell/page-head";
import { usePageActions } from "@/components/shell/shell-context";
import { ICON_BUTTON, IconButton } from "@/components/ui/controls/icon-button";
import { StateChip } from "@/components/ui/states/state-ring";
import { Tag } from "@/components/ui/tag";
import type { HeadStatus } from "@/lib/client/chat/run-status";
import { useThreadActions } from "@/lib/client/chat/threads/use-thread-actions";
import type { AgentInfo } from "@/lib/schema/agents/agent-info";
import type { ThreadDetail } from "@/lib/schema/threads/thread";
import { LazyRename } from "./lazy-rename";
import { LazyShareDialog } from "./lazy-share";
import { ThreadMenu } from "./thread-list";
import { ThreadsDrawer } from "./threads-drawer";

export interface ThreadHeadProps {
  detail: ThreadDetail;
  /** Undefined while unknown, or if it is gone. */
  agent: AgentInfo | undefined;
  /** Null before the first run. */
  status: HeadStatus | null;
  isPanelOpen: boolean;
  onTogglePanel: () => void;
  onFind: () => void;
}

export function ThreadHead({ detail, agent, status, isPanelOpen, onTogglePanel, onFind }: ThreadHeadProps) {
  const [isRenaming, setRenaming] = useState(false);
  const [isSharing, setSharing] = useState(false);
  const [isMoving, setMoving] = useState(false);
  const actions = useThreadActions(detail.id);
  const pageActions = useMemo(
    () => [
      { id: "rename", label: "Rename", icon: <Pencil aria-hidden />, onRun: () => setRenaming(true) },
      { id: "share", label: "Share", icon: <Share2 aria-hidden />, onRun: () => setSharing(true) },
    ],
    [],
  );
  usePageActions(pageActions);
  return (
    <>
      <PageHead
        title={detail.title ?? "New thread"}
        lead={<ThreadsDrawer />}
        facts={
          <>
            <Tag className="max-sm:hidden">
              {agent === undefined ? nameOf(detail) : `${nameOf(detail, agent)} v${agent.version}`}
            </Tag>
            {detail.project ? (
              <Link
                href={`/projects/${detail.project.id}`}
                className="min-w-0 truncate text-xs text-link hover:underline"
              >
                {detail.project.name}
              </Link>
            ) : null}
            {detail.archived ? <Tag>Archived</Tag> : null}
            {status === null ? null : (
              <StateChip
                status={status.status}
                className={status.status === "completed" ? "max-sm:hidden" : undefined}
                note={status.startedAtMs === null ? null : <RunningClock startedAtMs={status.startedAtMs} />}
              />
            )}
          </>
        }
        actions={
          <>
            {detail.latestTraceId === null ? null : (
              <Link
                href={`/traces/${detail.latestTraceId}`}
                prefetch={false}
                aria-label="Open trace"
                title="Open trace"
                className={`${ICON_BUTTON} size-7 max-sm:hidden [&>svg]:size-4`}
              >
                <ListTree aria-hidden />
              </Link>
            )}
            <ThreadMenu
              thread={detail}
              onFind={onFind}
              onRename={() => setRenaming(true)}
              onShare={() => setSharing(true)}
              onPin={actions.pin}
              onArchive={actions.archive}
              onDelete={actions.remove}
              onMove={() => setMoving(true)}
            />
            <IconButton label="Side panel" active={isPanelOpen} className="max-xl:hidden" onPress={onTogglePanel}>
              <PanelRight />
            </IconButton>
          </>
        }
      />
      {isMoving ? <LazyMoveThread thread={detail} onClose={() => setMoving(false)} /> : null}
      {isSharing ? <LazyShareDialog threadId={detail.id} onClose={() => setSharing(false)} /> : null}
      {isRenaming ? (
        <LazyRename
          thread={detail}
          onClose={() => setRenaming(false)}
          onRename={(title) => actions.rename(detail, title)}
        />
      ) : null}
    </>
  );
}

/** Name of the agent that answers; its id while the name is unknown. */
function nameOf({ agentId, agentName, activeAgentId }: ThreadDetail, agent?: AgentInfo): string {
  return activeAgentId === agentId ? agentName : (agent?.name ?? activeAgentId);
}
