"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "@/components/ui/controls/button";
import { TextField } from "@/components/ui/controls/text-field";
import { FormDialog } from "@/components/ui/overlays/form-dialog";
import { Time } from "@/components/ui/time";
import { ApiError } from "@/lib/client/http/api";
import { PROJECTS_KEY } from "@/lib/client/http/query-keys";
import { instructionVersionsQuery, updateProject } from "@/lib/client/projects/project-queries";
import type { Project } from "@/lib/schema/projects/project";

interface EditInstructionsProps {
  project: Project;
  mayEdit: boolean;
  onClose: () => void;
}

/** The text of the instructions and every earlier version, which can be put back into the field. */
export function EditInstructions({ project, mayEdit, onClose }: EditInstructionsProps) {
  const queryClient = useQueryClient();
  const versions = useQuery(instructionVersionsQuery(project.id)).data ?? [];
  const current = project.instructions?.text ?? "";
  const [text, setText] = useState(current);
  const saving = useMutation({
    mutationFn: () => updateProject(project.id, { instructions: text }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: PROJECTS_KEY });
      onClose();
    },
  });
  const problem = saving.error instanceof ApiError ? saving.error.problems.get("instructions") : undefined;
  return (
    <FormDialog
      title="Instructions"
      submitLabel="Save"
      cancelLabel={mayEdit ? "Cancel" : "Close"}
      isValid={mayEdit && text.trim() !== current}
      isPending={saving.isPending}
      error={problem === undefined ? saving.error : undefined}
      onSubmit={() => saving.mutate()}
      onClose={onClose}
    >
      <TextField
        label="Text"
        rows={10}
        autoFocus
        isReadOnly={!mayEdit}
        description="In every prompt of the project, after the agent's own text."
        value={text}
        onChange={(value) => {
          setText(value);
          saving.reset();
        }}
        isInvalid={problem !== undefined}
        errorMessage={problem}
      />
      {versions.length === 0 ? null : (
        <section aria-label="Versions" className="text-xs">
          <h3 className="mb-1 font-medium">Versions</h3>
          <ul>
            {versions.map(({ number, text: old, tokens, changedBy, changedAt }) => (
              <li key={number} className="flex min-h-7 items-center gap-2 border-b border-separator last:border-b-0">
                <span className="tnum font-medium">v{number}</span>
                <span className="min-w-0 flex-1 truncate text-muted">
                  {changedBy}, <Time at={changedAt} />, {tokens} tokens
                </span>
                <Button variant="ghost" isDisabled={old === text} onPress={() => setText(old)}>
                  {mayEdit ? "Use this text" : "Show"}
                </Button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </FormDialog>
  );
}
