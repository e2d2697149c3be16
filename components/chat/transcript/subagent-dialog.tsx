"use client";
import { ArrowLeft } from "lucide-react";
import { Button } from "@/components/ui/controls/button";
import { Dialog } from "@/components/ui/overlays/dialog";
import { Notice } from "@/components/ui/states/notice";
import { SkeletonList } from "@/components/ui/states/skeleton";
import { DecisionsProvider } from "@/lib/client/chat/asks/use-decisions";
import { useChildRun } from "@/lib/client/chat/use-child-run";
import { errorMessage } from "@/lib/client/http/api";
import type { OpenChildRun } from "./child-run-context";
import { MessageView } from "./message-view";

export interface SubagentDialogProps extends OpenChildRun {
  onClose: () => void;
  /** Back to the subagent that started this one; null if the thread did. */
  back: { readonly title: string; readonly go: () => void } | null;
}

/** The subagent's own transcript, live while it works. Its asks are decided in the thread, not here. */
export function SubagentDialog({ runId, title, back, onClose }: SubagentDialogProps) {
  const { messages, askedBy, isAtWork, error, retry } = useChildRun(runId);
  return (
    <Dialog title={title} isOpen onClose={onClose} size="lg">
      {back === null ? null : (
        <Button variant="ghost" onPress={back.go} className="mb-2 max-w-full">
          <ArrowLeft aria-hidden />
          <span className="truncate">Back to {back.title}</span>
        </Button>
      )}
      <DecisionsProvider value={null}>
        {messages?.map((message) => (
          <MessageView
            key={message.id}
            message={message}
            userName={askedBy ?? "Agent"}
            isTask
            isLive={isAtWork && message.role === "assistant"}
            isLatest={false}
            onNextStep={null}
          />
        ))}
      </DecisionsProvider>
      {messages === null && error === null ? <SkeletonList label="Loading the transcript" rows={4} /> : null}
      {error === null ? null : (
        <Notice
          status="failed"
          title="The transcript could not be read"
          actions={<Button onPress={retry}>Try again</Button>}
        >
          {errorMessage(error)}
        </Notice>
      )}
    </Dialog>
  );
}
