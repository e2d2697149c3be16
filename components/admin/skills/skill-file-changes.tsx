"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { FilePlus2, Trash2 } from "lucide-react";
import { useState } from "react";
import { z } from "zod";
import { Button } from "@/components/ui/controls/button";
import { Field } from "@/components/ui/form/field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useForm } from "@/lib/client/forms/use-form";
import { errorMessage } from "@/lib/client/http/api";
import { SKILLS_KEY } from "@/lib/client/http/query-keys";
import { removeSkillFile, restoreSkillVersion, writeSkillFile } from "@/lib/client/skills/skill-queries";
import { showToast } from "@/lib/client/ui/toast-store";
import { type SkillDetail, WriteSkillFileBody } from "@/lib/schema/skills/skill";

interface AddSkillFileProps {
  skill: SkillDetail;
  onAdded: (path: string) => void;
}

/** A new, empty file of a skill. */
export function AddSkillFile(props: AddSkillFileProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="ghost" className="mt-2 self-start" onPress={() => setOpen(true)}>
        <FilePlus2 aria-hidden />
        Add a file
      </Button>
      {isOpen ? <AddSkillFileDialog {...props} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

const fileSchema = (known: SkillDetail["files"]) =>
  z.object({
    path: z
      .string()
      .trim()
      .pipe(WriteSkillFileBody.shape.path)
      .refine(
        (path) => known.every((file) => file.path !== path),
        "A file has this path already. Choose another path.",
      ),
  });

/** A reload keeps what was typed. */
function AddSkillFileDialog({ skill, onAdded, onClose }: AddSkillFileProps & { onClose: () => void }) {
  const queryClient = useQueryClient();
  const form = useForm({
    subject: `skill-file ${skill.name}`,
    schema: fileSchema(skill.files),
    initial: { path: "" },
    save: async ({ path }) => {
      await writeSkillFile(skill.name, { path, content: "", version: skill.version });
      return path;
    },
    onSaved: async (path) => {
      await queryClient.invalidateQueries({ queryKey: SKILLS_KEY });
      onClose();
      onAdded(path);
    },
  });
  return (
    <FormDialog form={form} title={`Add a file to ${skill.name}`} size="sm" submitLabel="Add file" onClose={onClose}>
      <Field
        of={form}
        name="path"
        label="Path"
        description="Such as scripts/fill.py, references/forms.md or assets/table.csv."
        autoFocus
      />
    </FormDialog>
  );
}

interface RemoveSkillFileProps {
  skill: SkillDetail;
  path: string;
  onRemoved: () => void;
}

/** Removes a file at once and offers to undo it. */
export function RemoveSkillFile({ skill, path, onRemoved }: RemoveSkillFileProps) {
  const queryClient = useQueryClient();
  const settle = () => queryClient.invalidateQueries({ queryKey: SKILLS_KEY });
  const fail = (error: unknown) => showToast({ title: errorMessage(error), tone: "error" });
  const { mutate, isPending } = useMutation({
    mutationFn: () => removeSkillFile(skill.name, path, skill.version),
    onSuccess: () => {
      onRemoved();
      const undo = () => restoreSkillVersion(skill.name, skill.version).then(settle, fail);
      showToast({ title: `Removed ${path}`, onUndo: () => void undo() });
    },
    onError: fail,
    onSettled: settle,
  });
  return (
    <Button variant="danger-ghost" isPending={isPending} onPress={() => mutate()}>
      <Trash2 aria-hidden /> Remove
    </Button>
  );
}
