"use client";
import { useQueryClient } from "@tanstack/react-query";
import { Undo2 } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/controls/button";
import { threadQuery } from "@/lib/client/chat/thread-queries";
import { updateThread } from "@/lib/client/chat/threads/thread-actions";
import { errorMessage } from "@/lib/client/http/api";
import { filesKey } from "@/lib/client/http/query-keys";
import { showToast } from "@/lib/client/ui/toast-store";

/** Above the composer of a thread that was handed over: who answers, and the way back. */
export function TakeBackLine({ threadId, name, ownName }: { threadId: string; name: string; ownName: string }) {
  return (
    <div className="mb-2 flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-muted">
      <span>
        <strong className="font-medium text-foreground">{name}</strong> answers instead of {ownName}.
      </span>
      <TakeBackButton threadId={threadId} />
    </div>
  );
}

/** Holds from the next message on; what runs now runs to its end. */
export function TakeBackButton({ threadId }: { threadId: string }) {
  const queryClient = useQueryClient();
  const [isSending, setSending] = useState(false);
  const takeBack = async () => {
    setSending(true);
    try {
      await updateThread(threadId, { activeAgentId: null });
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: threadQuery(threadId).queryKey }),
        queryClient.invalidateQueries({ queryKey: filesKey(threadId) }),
      ]);
    } catch (error) {
      showToast({ title: errorMessage(error), tone: "error" });
    } finally {
      setSending(false);
    }
  };
  return (
    <Button size="sm" isDisabled={isSending} onPress={() => void takeBack()}>
      <Undo2 className="size-3.5" aria-hidden />
      Take back
    </Button>
  );
}

/** Above the files of a thread that was handed over. */
export function FilesOwner({ name }: { name: string }) {
  return <p className="px-4 pt-3 text-xs text-muted">These are the files of {name}, which answers now.</p>;
}
