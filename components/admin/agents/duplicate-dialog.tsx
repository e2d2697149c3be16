"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { TextField } from "@/components/ui/controls/text-field";
import { FormDialog } from "@/components/ui/overlays/form-dialog";
import { duplicateAgent } from "@/lib/client/agents/agent-queries";
import { errorMessage } from "@/lib/client/http/api";
import { AGENTS_KEY } from "@/lib/client/http/query-keys";

export interface DuplicateDialogProps {
  agentId: string;
  isOpen: boolean;
  onClose: () => void;
}

/** A new agent with the published config of another. */
export function DuplicateDialog({ agentId, isOpen, onClose }: DuplicateDialogProps) {
  const router = useRouter();
  const queryClient = useQueryClient();
  const [newId, setNewId] = useState(`${agentId}-copy`.slice(0, 64));
  const duplicate = useMutation({
    mutationFn: () => duplicateAgent({ agentId, newId }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: AGENTS_KEY });
      onClose();
      router.push(`/admin/agents/${newId}`);
    },
  });
  const close = () => {
    duplicate.reset();
    onClose();
  };
  return (
    <FormDialog
      title={`Duplicate ${agentId}`}
      isOpen={isOpen}
      size="sm"
      submitLabel="Duplicate"
      isValid={newId !== ""}
      isPending={duplicate.isPending}
      onSubmit={() => duplicate.mutate()}
      onClose={close}
    >
      <TextField
        label="Id of the copy"
        value={newId}
        onChange={setNewId}
        mono
        autoFocus
        isInvalid={duplicate.isError}
        errorMessage={duplicate.isError ? errorMessage(duplicate.error) : undefined}
      />
    </FormDialog>
  );
}
