"use client";
import { GitFork, RotateCcw } from "lucide-react";
import { createContext, lazy, Suspense, use, useRef, useState } from "react";
import { ReplyUndo } from "@/components/trace/undo/undo-button";
import { IconButton } from "@/components/ui/controls/icon-button";
import type { ChatMessage } from "@/lib/client/chat/chat-message";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { hasEnded } from "@/lib/schema/runs/run";

/** The thread whose messages can be edited, answered again and forked. */
export interface BranchedThread {
  readonly id: string;
  readonly agentId: string;
  /** The answering agent: the thread's own, or the one it was handed over to. */
  readonly activeAgentId: string;
  /** A run of another branch is active. */
  readonly isRunningElsewhere: boolean;
  /** Version of the agent that answers. */
  readonly activeVersion?: number | undefined;
  /** The last handoff that was taken back, and when. */
  readonly takenBack?: { readonly toolCallId: string; readonly atMs: number } | null;
  /** The current metadata of a reply and the next one. */
  readonly repliesAround?: (runId: string) => readonly [ChatMessage["metadata"], ChatMessage["metadata"]];
}

/** Null if messages are read-only. */
export const BranchContext = createContext<BranchedThread | null>(null);

const Versions = lazy(async () => ({ default: (await loadWithRetry(() => import("./version-arrows"))).VersionArrows }));
const RegenerateMenu = lazy(async () => ({
  default: (await loadWithRetry(() => import("./regenerate-menu"))).RegenerateMenu,
}));
const ForkDialog = lazy(async () => ({ default: (await loadWithRetry(() => import("./fork-dialog"))).ForkDialog }));

/** Above a reply of an agent other than the thread's. */
export function OtherAgent({ message: { metadata } }: { message: ChatMessage }) {
  const thread = use(BranchContext);
  const { agentId, agentName = agentId } = metadata ?? {};
  if (thread === null || agentId === undefined || agentId === thread.agentId) return null;
  return <p className="pb-1 pl-9 text-xs text-muted">{agentName} answers this message</p>;
}

/** The arrows below a message or reply that has versions. */
export function LazyVersions({ message }: { message: ChatMessage }) {
  const thread = use(BranchContext);
  const { siblings, index, editedAtMs } = message.metadata ?? {};
  if (thread === null || siblings === undefined || index === undefined) return null;
  return (
    <Suspense fallback={<div className="h-7" />}>
      <Versions thread={thread} siblings={siblings} index={index} editedAtMs={editedAtMs} />
    </Suspense>
  );
}

/** A new thread from a message on. */
export function ForkButton({ messageId }: { messageId: string }) {
  const thread = use(BranchContext);
  const [isOpen, setOpen] = useState(false);
  if (thread === null) return null;
  return (
    <>
      <IconButton label="Fork" onPress={() => setOpen(true)}>
        <GitFork />
      </IconButton>
      {isOpen ? (
        <Suspense>
          <ForkDialog thread={thread} messageId={messageId} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}

/** The actions on an ended reply; nothing for one that was copied from another thread. */
export function ReplyBranches({ message }: { message: ChatMessage }) {
  const thread = use(BranchContext);
  const button = useRef<HTMLSpanElement>(null);
  const [open, setOpen] = useState<"menu" | "fork" | null>(null);
  if (thread === null) return null;
  const close = () => setOpen(null);
  return (
    <>
      {message.metadata?.runId === undefined ? null : (
        <span ref={button} className="flex">
          <IconButton
            excludeFromTabOrder
            label="Regenerate"
            shortcut="r"
            onPress={() => setOpen("menu")}
            className="[&>svg]:size-3.5"
          >
            <RotateCcw />
          </IconButton>
        </span>
      )}
      <IconButton excludeFromTabOrder label="Fork" onPress={() => setOpen("fork")} className="[&>svg]:size-3.5">
        <GitFork />
      </IconButton>
      {isUndoable(message) ? <ReplyUndo run={{ runId: message.metadata?.runId ?? "", threadId: thread.id }} /> : null}
      {open === null ? null : (
        <Suspense>
          {open === "menu" ? (
            <RegenerateMenu thread={thread} message={message} trigger={button} onClose={close} />
          ) : (
            <ForkDialog thread={thread} messageId={message.id} onClose={close} />
          )}
        </Suspense>
      )}
    </>
  );
}

/** A reply of an ended run that called a tool: only then is there something to undo. */
function isUndoable({ metadata, parts }: ChatMessage): boolean {
  if (metadata?.runId === undefined || metadata.status === undefined || !hasEnded(metadata.status)) return false;
  return parts.some(({ type }) => type === "dynamic-tool");
}
