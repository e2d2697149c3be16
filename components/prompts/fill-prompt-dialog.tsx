"use client";
import { useState } from "react";
import { TextField } from "@/components/ui/controls/text-field";
import { FormDialog } from "@/components/ui/overlays/form-dialog";
import { ScrollArea } from "@/components/ui/scroll-area";
import { fillPrompt, variablesOf } from "@/lib/client/prompts/prompt-variables";
import type { SavedPrompt } from "@/lib/schema/prompts/saved-prompt";

interface FillPromptDialogProps {
  prompt: SavedPrompt;
  onWrite: (values: Readonly<Record<string, string>>) => void;
  onClose: () => void;
}

/** A prompt's variables; its text then goes into the composer, where it can be changed before it is sent. */
export function FillPromptDialog({ prompt, onWrite, onClose }: FillPromptDialogProps) {
  const variables = variablesOf(prompt.text);
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(variables.map(({ name, initial }) => [name, initial])),
  );
  return (
    <FormDialog
      title={prompt.name}
      submitLabel="Insert into the message"
      onSubmit={() => onWrite(values)}
      onClose={onClose}
      after={
        <ScrollArea label="The message" className="mt-3 max-h-40 rounded-md bg-surface-secondary">
          <p className="px-2.5 py-1.5 text-sm break-words whitespace-pre-wrap">{fillPrompt(prompt.text, values)}</p>
        </ScrollArea>
      }
    >
      {prompt.description === "" ? null : <p className="text-sm text-muted">{prompt.description}</p>}
      {variables.map(({ name }, index) => (
        <TextField
          key={name}
          label={name}
          value={values[name] ?? ""}
          onChange={(value) => setValues({ ...values, [name]: value })}
          autoFocus={index === 0}
        />
      ))}
    </FormDialog>
  );
}
