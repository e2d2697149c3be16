"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Diff } from "@/components/ui/diff";
import { TextField } from "@/components/ui/text-field";
import { showToast } from "@/components/ui/toast";
import { AGENTS_KEY, publishAgent } from "@/lib/client/agent-queries";
import { errorMessage } from "@/lib/client/api";
import { diffRows } from "@/lib/client/diff-rows";
import type { AgentDetail } from "@/lib/schema/agent-api";

export interface PublishDialogProps {
  agent: AgentDetail;
  yaml: string;
  isOpen: boolean;
  onClose: () => void;
}

/** What changes, a note for the list of versions, then the new version. */
export function PublishDialog({ agent, yaml, isOpen, onClose }: PublishDialogProps) {
  const queryClient = useQueryClient();
  const [note, setNote] = useState("");
  const number = agent.version + 1;
  const publish = useMutation({
    mutationFn: () => publishAgent({ agentId: agent.id, yaml, note, baseVersion: agent.version }),
    onSuccess: async () => {
      onClose();
      showToast({ title: `v${number} is live`, description: "The next run uses it." });
      await queryClient.invalidateQueries({ queryKey: AGENTS_KEY });
    },
  });
  return (
    <Dialog
      title={`Publish v${number} of ${agent.id}?`}
      isOpen={isOpen}
      onClose={onClose}
      size="lg"
      actions={
        <>
          <Button variant="ghost" onPress={onClose}>
            Cancel
          </Button>
          <Button variant="primary" isPending={publish.isPending} onPress={() => publish.mutate()}>
            Publish v{number}
          </Button>
        </>
      }
    >
      <TextField
        label="What changed (optional)"
        placeholder="Shown in the list of versions"
        value={note}
        onChange={setNote}
        maxLength={500}
        autoFocus
      />
      {publish.isError ? (
        <p role="alert" className="mt-3 rounded-md bg-fail-soft px-2.5 py-1.5 text-sm text-fail-text">
          {errorMessage(publish.error)}
        </p>
      ) : null}
      <div className="mt-4 overflow-hidden rounded-md border border-border">
        <Diff path={`${agent.id}.yaml`} rows={isOpen ? diffRows(agent.yaml ?? "", yaml) : []} />
      </div>
    </Dialog>
  );
}
