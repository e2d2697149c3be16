"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/controls/button";
import { Switch } from "@/components/ui/controls/switch";
import { TextField } from "@/components/ui/controls/text-field";
import { FormDialog } from "@/components/ui/overlays/form-dialog";
import { ApiError } from "@/lib/client/http/api";
import { promptsQuery, savePrompt } from "@/lib/client/prompts/prompt-queries";
import { variablesOf } from "@/lib/client/prompts/prompt-variables";
import { type CreatePromptBody, MAX_PROMPT_CHARS, type SavedPrompt } from "@/lib/schema/prompts/saved-prompt";

const NEW = { name: "", description: "", text: "", shared: false };

interface EditPromptDialogProps {
  /** Null for a new one. */
  prompt: SavedPrompt | null;
  /** Administrators share prompts with everybody. */
  mayShare: boolean;
  onDelete: (prompt: SavedPrompt) => void;
  onClose: () => void;
}

/** Name, description and text of a prompt; each problem is shown at its field. */
export function EditPromptDialog({ prompt, mayShare, onDelete, onClose }: EditPromptDialogProps) {
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState<CreatePromptBody>(() => draftOf(prompt ?? NEW));
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
  const saving = useMutation({
    mutationFn: (body: CreatePromptBody) => savePrompt(prompt?.id ?? null, body),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: promptsQuery.queryKey });
      onClose();
    },
    onError: (error) => setProblems(error instanceof ApiError ? error.problems : new Map()),
  });
  const field = (key: "name" | "description" | "text") => ({
    value: draft[key],
    onChange: (value: string) => {
      setDraft({ ...draft, [key]: value });
      setProblems(new Map([...problems].filter(([path]) => path !== key)));
    },
    isInvalid: problems.has(key),
    errorMessage: problems.get(key),
  });
  const variables = variablesOf(draft.text).map((variable) => variable.name);
  return (
    <FormDialog
      title={prompt === null ? "New prompt" : "Edit prompt"}
      submitLabel="Save"
      isPending={saving.isPending}
      error={saving.error && problems.size === 0 ? saving.error : null}
      onSubmit={() => saving.mutate(draft)}
      onClose={onClose}
    >
      <TextField
        label="Name"
        description="What is typed after a slash: review-file"
        mono
        autoFocus
        {...field("name")}
      />
      <TextField label="Description" description="Beside the name in the menu" {...field("description")} />
      <TextField
        label="Text"
        rows={8}
        maxLength={MAX_PROMPT_CHARS}
        description={
          variables.length === 0
            ? "{{file}} asks for a file when the prompt is used; {{kind=bugs}} begins with bugs."
            : `Asks for: ${variables.join(", ")}`
        }
        {...field("text")}
      />
      {mayShare ? (
        <div className="flex items-center gap-2 text-sm">
          <Switch label="For everybody" isOn={draft.shared} onChange={(shared) => setDraft({ ...draft, shared })} />
          <span aria-hidden>For everybody</span>
        </div>
      ) : null}
      {prompt === null ? null : (
        <Button variant="danger-ghost" className="self-start" onPress={() => onDelete(prompt)}>
          <Trash2 aria-hidden /> Delete
        </Button>
      )}
    </FormDialog>
  );
}

function draftOf({ name, description, text, shared }: CreatePromptBody): CreatePromptBody {
  return { name, description, text, shared };
}
