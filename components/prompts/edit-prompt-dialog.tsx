"use client";
import { Trash2 } from "lucide-react";
import { Button } from "@/components/ui/controls/button";
import { Field } from "@/components/ui/form/field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { SwitchField } from "@/components/ui/form/switch-field";
import { useForm } from "@/lib/client/forms/use-form";
import { promptsQuery, savePrompt } from "@/lib/client/prompts/prompt-queries";
import { variablesOf } from "@/lib/client/prompts/prompt-variables";
import { CreatePromptBody, MAX_PROMPT_CHARS, type SavedPrompt } from "@/lib/schema/prompts/saved-prompt";

const NEW = { name: "", description: "", text: "", shared: false };

interface EditPromptDialogProps {
  /** Null for a new one. */
  prompt: SavedPrompt | null;
  /** Administrators share prompts with everybody. */
  mayShare: boolean;
  onDelete: (prompt: SavedPrompt) => void;
  onClose: () => void;
}

/** Name, description and text of a prompt. A reload keeps what was typed. */
export function EditPromptDialog({ prompt, mayShare, onDelete, onClose }: EditPromptDialogProps) {
  const { name, description, text, shared } = prompt ?? NEW;
  const form = useForm({
    subject: `prompt ${prompt?.id ?? "new"}`,
    schema: CreatePromptBody,
    initial: { name, description, text, shared },
    save: (body) => savePrompt(prompt?.id ?? null, body),
    invalidates: [promptsQuery.queryKey],
    onSaved: onClose,
  });
  const variables = variablesOf(form.values.text).map((variable) => variable.name);
  return (
    <FormDialog form={form} title={prompt === null ? "New prompt" : "Edit prompt"} submitLabel="Save" onClose={onClose}>
      <Field of={form} name="name" label="Name" description="What is typed after a slash: review-file" mono autoFocus />
      <Field of={form} name="description" label="Description" description="Beside the name in the menu" />
      <Field
        of={form}
        name="text"
        label="Text"
        rows={8}
        maxLength={MAX_PROMPT_CHARS}
        description={
          variables.length === 0
            ? "{{file}} asks for a file when the prompt is used; {{kind=bugs}} begins with bugs."
            : `Asks for: ${variables.join(", ")}`
        }
      />
      {mayShare ? <SwitchField of={form} name="shared" label="For everybody" /> : null}
      {prompt === null ? null : (
        <Button variant="danger-ghost" className="self-start" onPress={() => onDelete(prompt)}>
          <Trash2 aria-hidden /> Delete
        </Button>
      )}
    </FormDialog>
  );
}
