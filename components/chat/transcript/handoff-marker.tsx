"use client";
import { ArrowRightLeft, Undo2 } from "lucide-react";
import { use, useReducer } from "react";
import { TakeBackButton } from "@/components/chat/threads/take-back";
import { Button } from "@/components/ui/controls/button";
import { Menu } from "@/components/ui/overlays/menu";
import type { ChatMessage } from "@/lib/client/chat/chat-message";
import type { HandoffData } from "@/lib/schema/messages/ui-message";
import { versionLabel } from "@/lib/schema/runs/run-version";
import { BranchContext, type BranchedThread } from "./branches/branch-context";

const TIME = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });

/** Marks the handoff to another agent. Take back is shown while that agent answers. */
export function HandoffMarker({ toolCallId, from, to, reason, atMs, runId }: HandoffData & { runId: string }) {
  const thread = use(BranchContext);
  const isInForce = thread !== null && thread.activeAgentId === to && to !== thread.agentId;
  const [handing, answering] = thread?.repliesAround?.(runId) ?? [];
  const fromName = nameIn(handing, from);
  const toName = nameIn(answering, to);
  if (thread?.takenBack?.toolCallId === toolCallId && !isInForce) {
    return (
      <aside aria-label="Handoff" className="my-1 flex min-h-8 items-center gap-2 px-3 text-xs text-muted">
        <Undo2 className="size-3.5 shrink-0" aria-hidden />
        Taken back by you at {TIME.format(thread.takenBack.atMs)}
        <BothTraces thread={thread} runId={runId} from={fromName} to={toName} />
      </aside>
    );
  }
  return (
    <aside aria-label="Handoff" className="my-1 overflow-hidden rounded-lg border border-border bg-surface">
      <div className="flex min-h-10 flex-wrap items-center gap-x-2 gap-y-1 px-3 py-1.5 text-sm">
        <ArrowRightLeft className="size-3.5 shrink-0 text-subtle" aria-hidden />
        <span className="font-medium">
          {isInForce ? `${toName}${versionText(thread.activeVersion)} answers now` : `Handed over to ${toName}`}
        </span>
        <span className="min-w-0 flex-1 text-xs text-muted max-sm:basis-full">
          handed over by {fromName}
          {versionText(handing?.agentVersion)} at {TIME.format(atMs)}
        </span>
        {thread === null ? null : <BothTraces thread={thread} runId={runId} from={fromName} to={toName} />}
        {isInForce ? <TakeBackButton threadId={thread.id} hasKey /> : null}
      </div>
      <p className="border-t border-separator px-3 py-2 text-sm text-muted">
        “{reason}” {toName} has read the conversation and works with its own prompt, tools and rights.
      </p>
    </aside>
  );
}

/** The agent's name as its reply says it; the id while there is no reply of its own yet. */
function nameIn(reply: ChatMessage["metadata"], agentId: string): string {
  return reply?.agentId === agentId ? (reply.agentName ?? agentId) : agentId;
}

function versionText(version: Parameters<typeof versionLabel>[0] | undefined): string {
  return version === undefined ? "" : ` ${versionLabel(version)}`;
}

interface BothTracesProps {
  thread: BranchedThread;
  runId: string;
  from: string;
  to: string;
}

/**
 * The traces of the run that handed over, and of the one that answered then; looked up when the pointer approaches the
 * menu.
 */
function BothTraces({ thread, runId, from, to }: BothTracesProps) {
  const [, lookAgain] = useReducer((count: number) => count + 1, 0);
  const traces = thread.repliesAround?.(runId) ?? [];
  const links = [from, to].flatMap((name, index) => {
    const traceId = traces[index]?.traceId;
    return traceId === undefined ? [] : [{ id: traceId, label: `Trace of ${name}`, href: `/traces/${traceId}` }];
  });
  if (links.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only looks again; what is pressed is the button
    <span onPointerEnter={lookAgain} onFocus={lookAgain}>
      <Menu
        label="Traces of the handoff"
        trigger={
          <Button size="sm" variant="ghost">
            Open both traces
          </Button>
        }
        actions={links}
      />
    </span>
  );
}
