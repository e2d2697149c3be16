"use client";
import { useQuery } from "@tanstack/react-query";
import { Button } from "@/components/ui/controls/button";
import { Field } from "@/components/ui/form/field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { Time } from "@/components/ui/time";
import { useForm } from "@/lib/client/forms/use-form";
import { PROJECTS_KEY } from "@/lib/client/http/query-keys";
import { instructionVersionsQuery, updateProject } from "@/lib/client/projects/project-queries";
import { type Project, UpdateProjectBody } from "@/lib/schema/projects/project";

interface EditInstructionsProps {
  project: Project;
  mayEdit: boolean;
  onClose: () => void;
}

const InstructionsBody = UpdateProjectBody.pick({ instructions: true }).required();

/** The text of the instructions and every earlier version, which can be put back into the field. */
export function EditInstructions({ project, mayEdit, onClose }: EditInstructionsProps) {
  const versions = useQuery(instructionVersionsQuery(project.id)).data ?? [];
  const current = project.instructions?.text ?? "";
  const form = useForm({
    subject: `instructions ${project.id}`,
    schema: InstructionsBody,
    initial: { instructions: current },
    save: (body) => updateProject(project.id, body),
    invalidates: [PROJECTS_KEY],
    onSaved: onClose,
  });
  const text = form.values.instructions;
  return (
    <FormDialog
      form={form}
      title="Instructions"
      submitLabel="Save"
      cancelLabel={mayEdit ? "Cancel" : "Close"}
      isValid={mayEdit && text.trim() !== current}
      onClose={onClose}
    >
      <Field
        of={form}
        name="instructions"
        label="Text"
        rows={10}
        autoFocus
        isReadOnly={!mayEdit}
        description="In every prompt of the project, after the agent's own text."
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
                <Button variant="ghost" isDisabled={old === text} onPress={() => form.set("instructions", old)}>
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
