"use client";
import { useRouter } from "next/navigation";
import { z } from "zod";
import { Field } from "@/components/ui/form/field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useForm } from "@/lib/client/forms/use-form";
import { SKILLS_KEY } from "@/lib/client/http/query-keys";
import { createSkill } from "@/lib/client/skills/skill-queries";
import { NewSkillName, SKILL_LIMITS } from "@/lib/schema/skills/skill";

/** Installing a skill under a known name would give that one a new version. */
const skillSchema = (known: readonly string[]) =>
  z.object({
    name: NewSkillName.refine(
      (name) => !known.includes(name),
      "A skill has this name already. Choose another name, or open that skill.",
    ),
    description: z.string().trim().min(1).max(SKILL_LIMITS.descriptionChars),
  });

/** A skill of one file, whose page then opens. A reload keeps what was typed. */
export function NewSkillDialog({ known, onClose }: { known: readonly string[]; onClose: () => void }) {
  const router = useRouter();
  const form = useForm({
    subject: "new-skill",
    schema: skillSchema(known),
    initial: { name: "", description: "" },
    save: async (skill) => {
      await createSkill(skill);
      return skill.name;
    },
    invalidates: [SKILLS_KEY],
    onSaved: (name) => {
      onClose();
      router.push(`/admin/skills/${encodeURIComponent(name)}`);
    },
  });
  return (
    <FormDialog form={form} title="New skill" submitLabel="Create skill" onClose={onClose}>
      <Field
        of={form}
        name="name"
        label="Name"
        description="1 to 64 of a-z, 0-9 and -. People ask for it with /name."
        autoFocus
      />
      <Field
        of={form}
        name="description"
        label="What it is for"
        description="Agents choose skills by this sentence: say what it does and when to use it."
        rows={3}
        maxLength={SKILL_LIMITS.descriptionChars}
      />
    </FormDialog>
  );
}
