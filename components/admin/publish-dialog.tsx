"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Diff } from "@/components/ui/diff";
import { FormDialog } from "@/components/ui/form-dialog";
import { TextField } from "@/components/ui/text-field";
import { showToast } from "@/components/ui/toast";
import { AGENTS_KEY, publishAgent } from "@/lib/client/agent-queries";
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
  const close = () => {
    publish.reset();
    onClose();
  };
  return (
    <FormDialog
      title={`Publish v${number} of ${agent.id}?`}
      isOpen={isOpen}
      size="lg"
      submitLabel={`Publish v${number}`}
      isPending={publish.isPending}
      error={publish.error}
      onSubmit={() => publish.mutate()}
      onClose={close}
      after={
        <div className="mt-4 overflow-hidden rounded-md border border-border">
          <Diff path={`${agent.id}.yaml`} rows={isOpen ? diffRows(agent.yaml ?? "", yaml) : []} />
        </div>
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
    </FormDialog>
  );
}
