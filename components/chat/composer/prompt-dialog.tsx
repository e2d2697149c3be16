"use client";
import { useState } from "react";
import { TextField } from "@/components/ui/controls/text-field";
import { FormDialog } from "@/components/ui/overlays/form-dialog";
import type { McpPrompt } from "@/lib/schema/tools/mcp-composer";

interface PromptDialogProps {
  prompt: McpPrompt;
  isPending: boolean;
  error: unknown;
  onWrite: (args: Record<string, string>) => void;
  onClose: () => void;
}

/** The arguments of a prompt; its text then goes into the composer, where it can be changed before it is sent. */
export function PromptDialog({ prompt, isPending, error, onWrite, onClose }: PromptDialogProps) {
  const [given, setGiven] = useState<Record<string, string>>({});
  const isValid = prompt.arguments.every(({ name, required }) => !required || (given[name] ?? "").trim() !== "");
  const filled = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ""));
  return (
    <FormDialog
      title={`${prompt.serverId}: ${prompt.name}`}
      submitLabel="Insert into the message"
      isValid={isValid}
      isPending={isPending}
      error={error}
      onSubmit={() => onWrite(filled)}
      onClose={onClose}
    >
      {prompt.description === "" ? null : <p className="text-sm text-muted">{prompt.description}</p>}
      {prompt.arguments.map(({ name, description, required }, index) => (
        <TextField
          key={name}
          label={required ? name : `${name} (optional)`}
          description={description === "" ? undefined : description}
          isRequired={required}
          value={given[name] ?? ""}
          onChange={(value) => setGiven({ ...given, [name]: value })}
          autoFocus={index === 0}
        />
      ))}
    </FormDialog>
  );
}
