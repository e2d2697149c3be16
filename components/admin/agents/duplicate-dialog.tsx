"use client";
import { useRouter } from "next/navigation";
import { Field } from "@/components/ui/form/field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { duplicateAgent } from "@/lib/client/agents/agent-queries";
import { refusedFields } from "@/lib/client/forms/problems";
import { useForm } from "@/lib/client/forms/use-form";
import { errorMessage } from "@/lib/client/http/api";
import { AGENTS_KEY } from "@/lib/client/http/query-keys";
import { DuplicateAgentBody } from "@/lib/schema/agents/agent-api";

export interface DuplicateDialogProps {
  agentId: string;
  onClose: () => void;
}

const NewId = DuplicateAgentBody.pick({ id: true });

/** A draft with another agent's published config. A reload keeps what was typed. */
export function DuplicateDialog({ agentId, onClose }: DuplicateDialogProps) {
  const router = useRouter();
  const form = useForm({
    subject: `duplicate ${agentId}`,
    schema: NewId,
    initial: { id: `${agentId}-copy`.slice(0, 64) },
    save: async ({ id }) => {
      await duplicateAgent({ agentId, newId: id });
      return id;
    },
    invalidates: [AGENTS_KEY],
    // Whatever is wrong, another id is the way out.
    refusedFields: (error) => new Map([["id", refusedFields(error).get("id") ?? errorMessage(error)]]),
    onSaved: (id) => {
      onClose();
      router.push(`/admin/agents/${id}`);
    },
  });
  return (
    <FormDialog form={form} title={`Duplicate ${agentId}`} size="sm" submitLabel="Duplicate" onClose={onClose}>
      <Field
        of={form}
        name="id"
        label="Id of the copy"
        description="The copy is a draft that only administrators see until it is published."
        mono
        autoFocus
      />
    </FormDialog>
  );
}
