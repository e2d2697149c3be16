"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { z } from "zod";
import { TextField } from "@/components/ui/controls/text-field";
import { FormDialog } from "@/components/ui/overlays/form-dialog";
import { duplicateAgent } from "@/lib/client/agents/agent-queries";
import { ApiError, errorMessage } from "@/lib/client/http/api";
import { AGENTS_KEY } from "@/lib/client/http/query-keys";
import { useRemembered } from "@/lib/client/ui/use-remembered";

export interface DuplicateDialogProps {
  agentId: string;
  isOpen: boolean;
  onClose: () => void;
}

const KeptId = z.string();

/** A draft with another agent's published config. A reload keeps what was typed. */
export function DuplicateDialog({ agentId, isOpen, onClose }: DuplicateDialogProps) {
  const router = useRouter();
  const queryClient = useQueryClient();
  const kept = useRemembered(`duplicate ${agentId}`, KeptId);
  const suggestedId = `${agentId}-copy`.slice(0, 64);
  const newId = kept.value ?? suggestedId;
  const duplicate = useMutation({
    mutationFn: () => duplicateAgent({ agentId, newId }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: AGENTS_KEY });
      close();
      router.push(`/admin/agents/${newId}`);
    },
  });
  const close = () => {
    kept.set(suggestedId);
    kept.forget();
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
        description="The copy is a draft that only administrators see until it is published."
        value={newId}
        onChange={(id) => {
          duplicate.reset();
          kept.set(id);
        }}
        mono
        autoFocus
        isInvalid={duplicate.isError}
        errorMessage={duplicate.isError ? problemOf(duplicate.error) : undefined}
      />
    </FormDialog>
  );
}

function problemOf(error: Error): string {
  return (error instanceof ApiError ? error.problems.get("id") : undefined) ?? errorMessage(error);
}
