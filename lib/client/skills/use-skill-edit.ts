"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { z } from "zod";
import { errorMessage } from "@/lib/client/http/api";
import { SKILLS_KEY } from "@/lib/client/http/query-keys";
import { showToast } from "@/lib/client/ui/toast-store";
import { useRemembered } from "@/lib/client/ui/use-remembered";
import type { SkillDetail } from "@/lib/schema/skills/skill";
import { type SkillEdit, skillConflictOf, writeSkillFile } from "./skill-queries";

/** The text being typed: the browser keeps it until it is saved. */
const Draft = z.object({ version: z.number(), text: z.string() }).nullable();

export interface SkillFileEdit {
  /** Null while the file is not being edited. */
  readonly text: string | null;
  readonly begin: (text: string) => void;
  readonly setText: (text: string) => void;
  readonly isSaving: boolean;
  /** The server's message about the text. */
  readonly problem: string | null;
  /** The version that another person has created since the edit began; null if there is none. */
  readonly newerVersion: number | null;
  readonly save: () => void;
  readonly discard: () => void;
}

/** The edit of one file of a skill. Saving creates the skill's next version. */
export function useSkillEdit(skill: Pick<SkillDetail, "name" | "version">, path: string): SkillFileEdit {
  const queryClient = useQueryClient();
  const { value: draft, set } = useRemembered(`skill-draft:${skill.name}/${path}`, Draft);
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (edit: SkillEdit) => writeSkillFile(skill.name, edit),
    onSuccess: (saved, { content }) => {
      // Text typed since the save began still has to be saved.
      const hasTypedOn = draft !== null && draft.text !== content;
      set(hasTypedOn ? { version: saved.version, text: draft.text } : null);
      showToast({ title: `${saved.name} is now version ${saved.version}` });
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: SKILLS_KEY }),
  });
  const newer = draft !== null && skill.version > draft.version ? skill.version : null;
  const isConflict = skillConflictOf(error) !== null;
  return {
    text: draft?.text ?? null,
    begin: (text) => set({ version: skill.version, text }),
    setText: (text) => set({ version: draft?.version ?? skill.version, text }),
    isSaving: isPending,
    problem: error === null || isConflict ? null : errorMessage(error),
    newerVersion: newer,
    // With a newer version shown beside it, saving means keeping this text.
    save: () => {
      if (draft) mutate({ path, content: draft.text, version: newer ?? draft.version });
    },
    discard: () => {
      set(null);
      reset();
    },
  };
}
