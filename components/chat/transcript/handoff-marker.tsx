"use client";
import { ArrowRightLeft } from "lucide-react";
import { use } from "react";
import { TakeBackButton } from "@/components/chat/threads/take-back";
import type { HandoffData } from "@/lib/schema/messages/ui-message";
import { BranchContext } from "./branches/branch-context";

const TIME = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });

/** Where the conversation went to another agent. Take back is there while that agent answers. */
export function HandoffMarker({ from, to, reason, atMs }: HandoffData) {
  const thread = use(BranchContext);
  const isInForce = thread !== null && thread.activeAgentId === to && to !== thread.agentId;
  return (
    <aside aria-label="Handoff" className="my-1 overflow-hidden rounded-lg border border-border bg-surface">
      <div className="flex min-h-10 flex-wrap items-center gap-x-2 gap-y-1 px-3 py-1.5 text-sm">
        <ArrowRightLeft className="size-3.5 shrink-0 text-subtle" aria-hidden />
        <span className="font-medium">{isInForce ? `${to} answers now` : `Handed over to ${to}`}</span>
        <span className="min-w-0 flex-1 text-xs text-muted">
          handed over by {from} at {TIME.format(atMs)}
        </span>
        {isInForce ? <TakeBackButton threadId={thread.id} /> : null}
      </div>
      <p className="border-t border-separator px-3 py-2 text-sm text-muted">
        “{reason}” {to} has read the conversation and works with its own prompt, tools and rights.
      </p>
    </aside>
  );
}
