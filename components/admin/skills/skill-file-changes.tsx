"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { FilePlus2, Trash2 } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/controls/button";
import { TextField } from "@/components/ui/controls/text-field";
import { FormDialog } from "@/components/ui/overlays/form-dialog";
import { errorMessage } from "@/lib/client/http/api";
import { SKILLS_KEY } from "@/lib/client/http/query-keys";
import { removeSkillFile, restoreSkillVersion, writeSkillFile } from "@/lib/client/skills/skill-queries";
import { showToast } from "@/lib/client/ui/toast-store";
import { useKeptText } from "@/lib/client/ui/use-kept-form";
import type { SkillDetail } from "@/lib/schema/skills/skill";

/** A new, empty file of a skill. */
export function AddSkillFile({ skill, onAdded }: { skill: SkillDetail; onAdded: (path: string) => void }) {
  const queryClient = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const { text: path, setText: setPath, forget } = useKeptText(`skill-file ${skill.name}`, "");
  const typed = path.trim();
  const isKnown = skill.files.some((file) => file.path === typed);
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => writeSkillFile(skill.name, { path: typed, content: "", version: skill.version }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: SKILLS_KEY });
      close();
      onAdded(typed);
    },
  });
  const close = () => {
    setPath("");
    forget();
    setOpen(false);
    reset();
  };
  return (
    <>
      <Button variant="ghost" className="mt-2 self-start" onPress={() => setOpen(true)}>
        <FilePlus2 aria-hidden />
        Add a file
      </Button>
      {isOpen ? (
        <FormDialog
          title={`Add a file to ${skill.name}`}
          size="sm"
          submitLabel="Add file"
          isValid={typed !== "" && !isKnown}
          isPending={isPending}
          error={error}
          onSubmit={mutate}
          onClose={close}
        >
          <TextField
            label="Path"
            description="Such as scripts/fill.py, references/forms.md or assets/table.csv."
            value={path}
            onChange={setPath}
            isInvalid={isKnown}
            errorMessage={isKnown ? "A file has this path already. Choose another path." : undefined}
            autoFocus
          />
        </FormDialog>
      ) : null}
    </>
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
