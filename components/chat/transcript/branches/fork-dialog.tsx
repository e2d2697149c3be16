"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useShell } from "@/components/shell/shell-context";
import { Button } from "@/components/ui/controls/button";
import { CheckList } from "@/components/ui/controls/check-list";
import { Dialog } from "@/components/ui/overlays/dialog";
import { forkThread } from "@/lib/client/chat/branches/branch-actions";
import { folderQuery } from "@/lib/client/files/file-queries";
import { errorMessage } from "@/lib/client/http/api";
import type { BranchedThread } from "./branch-context";

interface ForkDialogProps {
  thread: BranchedThread;
  messageId: string;
  onClose: () => void;
}

/** A new thread from a message on, and what it takes along. */
export function ForkDialog({ thread, messageId, onClose }: ForkDialogProps) {
  const { go } = useShell();
  const files = useQuery(folderQuery(thread.id, ""));
  const hasOwnFiles =
    files.data !== undefined && files.data.sharedThreads === undefined && files.data.hasWorkspace !== false;
  const [carried, setCarried] = useState<readonly string[]>(["files"]);
  const [isPending, setPending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const fork = async () => {
    setPending(true);
    setProblem(null);
    try {
      const carry = { files: hasOwnFiles && carried.includes("files"), todos: carried.includes("todos") };
      const id = await forkThread({ threadId: thread.id, messageId }, carry);
      onClose();
      go(`/threads/${id}`);
    } catch (error) {
      setProblem(errorMessage(error));
      setPending(false);
    }
  };
  return (
    <Dialog
      title="Fork"
      isOpen
      onClose={onClose}
      size="sm"
      actions={
        <Button variant="primary" isPending={isPending} onPress={() => void fork()}>
          Fork to a new thread
        </Button>
      }
    >
      <p className="pb-3 text-sm">The new thread has the messages up to here. This one stays as it is.</p>
      <CheckList
        label="Also copy"
        value={carried}
        onChange={setCarried}
        options={[
          ...(hasOwnFiles ? [{ id: "files", name: "The files as they are now" }] : []),
          { id: "todos", name: "The todos as they were here" },
        ]}
      />
      {files.data?.sharedThreads === undefined ? null : (
        <p className="pt-2 text-xs text-muted">The agent's threads share their files, so the new one has them too.</p>
      )}
      {problem === null ? null : (
        <p role="alert" className="pt-2 text-xs text-fail-text">
          {problem}
        </p>
      )}
    </Dialog>
  );
}
