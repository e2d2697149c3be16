"use client";
import { useShell } from "@/components/shell/shell-context";
import { Button } from "@/components/ui/controls/button";
import { Dialog } from "@/components/ui/overlays/dialog";
import { useFork } from "@/lib/client/chat/branches/use-fork";
import type { BranchedThread } from "./branch-context";
import { ForkFields } from "./fork-fields";

interface ForkDialogProps {
  thread: BranchedThread;
  messageId: string;
  onClose: () => void;
}

/** A new thread from a message on, and what it takes along. */
export function ForkDialog({ thread, messageId, onClose }: ForkDialogProps) {
  const { go } = useShell();
  const fork = useFork({ threadId: thread.id, messageId }, (id) => {
    onClose();
    go(`/threads/${id}`);
  });
  return (
    <Dialog
      title="Fork"
      isOpen
      onClose={onClose}
      size="sm"
      actions={
        <Button variant="primary" isPending={fork.isPending} onPress={() => void fork.start()}>
          Fork to a new thread
        </Button>
      }
    >
      <ForkFields fork={fork} />
    </Dialog>
  );
}
