"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { TextField } from "@/components/ui/controls/text-field";
import { FormDialog } from "@/components/ui/overlays/form-dialog";
import { SKILLS_KEY } from "@/lib/client/http/query-keys";
import { createSkill } from "@/lib/client/skills/skill-queries";
import { SKILL_LIMITS, SkillName } from "@/lib/schema/skills/skill";

/** A skill of one file, whose page then opens. */
export function NewSkillDialog({ known, onClose }: { known: readonly string[]; onClose: () => void }) {
  const router = useRouter();
  const queryClient = useQueryClient();
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => createSkill({ name, description: description.trim() }),
    onSuccess: () => {
      onClose();
      router.push(`/admin/skills/${encodeURIComponent(name)}`);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: SKILLS_KEY }),
  });
  const nameProblem = problemOfName(name, known);
  return (
    <FormDialog
      title="New skill"
      submitLabel="Create skill"
      isValid={name !== "" && nameProblem === null && description.trim() !== ""}
      isPending={isPending}
      error={error}
      onSubmit={mutate}
      onClose={onClose}
    >
      <TextField
        label="Name"
        description="1 to 64 of a-z, 0-9 and -. People ask for it with /name."
        value={name}
        onChange={setName}
        isInvalid={nameProblem !== null}
        errorMessage={nameProblem ?? undefined}
        autoFocus
      />
      <TextField
        label="What it is for"
        description="Agents choose skills by this sentence: say what it does and when to use it."
        rows={3}
        maxLength={SKILL_LIMITS.descriptionChars}
        value={description}
        onChange={setDescription}
      />
    </FormDialog>
  );
}

function problemOfName(name: string, known: readonly string[]): string | null {
  if (name === "") return null;
  if (known.includes(name)) return "A skill has this name already. Choose another name, or open that skill.";
  return SkillName.safeParse(name).success ? null : "Use 1 to 64 of the characters a-z, 0-9 and -.";
}
