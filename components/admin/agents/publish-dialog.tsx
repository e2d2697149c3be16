"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ConflictNotice } from "@/components/admin/conflict-notice";
import { Diff } from "@/components/ui/code/diff";
import { TextField } from "@/components/ui/controls/text-field";
import { FormDialog } from "@/components/ui/overlays/form-dialog";
import { agentQuery, publishAgent } from "@/lib/client/agents/agent-queries";
import type { AgentDraft } from "@/lib/client/agents/use-agent-draft";
import { diffRows } from "@/lib/client/files/diff-rows";
import { ApiError } from "@/lib/client/http/api";
import { AGENTS_KEY } from "@/lib/client/http/query-keys";
import { showToast } from "@/lib/client/ui/toast-store";
import type { AgentDetail } from "@/lib/schema/agents/agent-api";

export interface PublishDialogProps {
  agent: AgentDetail;
  draft: AgentDraft;
  isOpen: boolean;
  onClose: () => void;
}

/** What changes, a note for the list of versions, then the new version. */
export function PublishDialog({ agent, draft, isOpen, onClose }: PublishDialogProps) {
  const queryClient = useQueryClient();
  const [note, setNote] = useState("");
  const number = agent.version + 1;
  const { queryKey } = agentQuery(agent.id);
  const publish = useMutation({
    mutationFn: (yaml: string) => publishAgent({ agentId: agent.id, yaml, note, baseVersion: agent.version }),
    onSuccess: async (published, sent) => {
      draft.markPublished(sent, published);
      queryClient.setQueryData(queryKey, published);
      onClose();
      setNote("");
      showToast({ title: `v${published.version} is live`, description: "The next run uses it." });
      await queryClient.invalidateQueries({ queryKey: AGENTS_KEY });
    },
    // Another person published first: load the comparison again, so that the text can still be published.
    onError: (error) => (isConflict(error) ? queryClient.invalidateQueries({ queryKey }) : undefined),
  });
  const close = () => {
    publish.reset();
    onClose();
  };
  const isShownBelow = draft.behind !== null && isConflict(publish.error);
  return (
    <FormDialog
      title={`Publish v${number} of ${agent.id}?`}
      isOpen={isOpen}
      size="lg"
      submitLabel={`Publish v${number}`}
      isPending={publish.isPending}
      error={isShownBelow ? null : publish.error}
      onSubmit={() => publish.mutate(draft.text)}
      onClose={close}
      after={
        <>
          {draft.behind === null ? null : (
            <div className="mt-3">
              <ConflictNotice begunFrom={draft.behind} live={agent.version} />
            </div>
          )}
          <div className="mt-4 overflow-hidden rounded-md border border-border">
            <Diff path={`${agent.id}.yaml`} rows={isOpen ? diffRows(agent.yaml ?? "", draft.text) : []} />
          </div>
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
    </FormDialog>
  );
}

function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.code === "conflict";
}
