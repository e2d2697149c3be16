"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { z } from "zod";
import { TextField } from "@/components/ui/controls/text-field";
import { FormDialog } from "@/components/ui/overlays/form-dialog";
import { SKILLS_KEY } from "@/lib/client/http/query-keys";
import { createSkill } from "@/lib/client/skills/skill-queries";
import { useKeptForm } from "@/lib/client/ui/use-kept-form";
import { SKILL_LIMITS, SkillName } from "@/lib/schema/skills/skill";

const KeptSkill = z.object({ name: z.string(), description: z.string() });
const NO_SKILL = { name: "", description: "" };

/** A skill of one file, whose page then opens. A reload keeps what was typed. */
export function NewSkillDialog({ known, onClose }: { known: readonly string[]; onClose: () => void }) {
  const router = useRouter();
  const queryClient = useQueryClient();
  const { form, set, forget } = useKeptForm("new-skill", KeptSkill, NO_SKILL);
  const { name, description } = form;
  const close = () => {
    forget();
    onClose();
  };
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => createSkill({ name, description: description.trim() }),
    onSuccess: () => {
      close();
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
      onClose={close}
    >
      <TextField
        label="Name"
        description="1 to 64 of a-z, 0-9 and -. People ask for it with /name."
        value={name}
        onChange={(text) => set({ name: text })}
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
        onChange={(text) => set({ description: text })}
      />
    </FormDialog>
  );
}

function problemOfName(name: string, known: readonly string[]): string | null {
  if (name === "") return null;
  if (known.includes(name)) return "A skill has this name already. Choose another name, or open that skill.";
  return SkillName.safeParse(name).success ? null : "Use 1 to 64 of the characters a-z, 0-9 and -.";
}
