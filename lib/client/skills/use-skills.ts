"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { errorMessage } from "@/lib/client/http/api";
import { SKILLS_KEY } from "@/lib/client/http/query-keys";
import { showToast } from "@/lib/client/ui/toast-store";
import type { InstallSkillReply } from "@/lib/schema/skills/skill";
import { groupSkills, type PickedFile, readDropped } from "./skill-files";
import { deleteSkill, installSkill, restoreSkill } from "./skill-queries";

export interface SkillDeletion {
  readonly isDeleting: boolean;
  /** Deletes a skill immediately and offers to undo it. True if it is gone. */
  readonly remove: (name: string) => Promise<boolean>;
}

export function useDeleteSkill(): SkillDeletion {
  const queryClient = useQueryClient();
  const attempt = async (work: Promise<void>) => {
    const problem = await work.then(
      () => null,
      (error: unknown) => errorMessage(error),
    );
    if (problem !== null) showToast({ title: problem, tone: "error" });
    await queryClient.invalidateQueries({ queryKey: SKILLS_KEY });
    return problem === null;
  };
  const { isPending: isDeleting, mutateAsync } = useMutation({
    mutationFn: async (name: string) => {
      const isGone = await attempt(deleteSkill(name));
      if (isGone) showToast({ title: `Deleted ${name}`, onUndo: () => void attempt(restoreSkill(name)) });
      return isGone;
    },
  });
  return { isDeleting, remove: async (name) => !isDeleting && (await mutateAsync(name)) };
}

export interface SkillUpload {
  readonly isBusy: boolean;
  /** Why the last upload was refused, in full; it stays until it is closed or the next upload begins. */
  readonly problem: string | null;
  readonly closeProblem: () => void;
  readonly upload: (files: readonly PickedFile[]) => Promise<void>;
  /** The same for dropped files and folders, some of which may no longer be on the disk. */
  readonly drop: (transfer: DataTransfer) => Promise<void>;
}

/** Installs what was chosen or dropped, one skill after the other, and reports the result. */
export function useSkillUpload(): SkillUpload {
  const queryClient = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const upload = async (files: readonly PickedFile[]) => {
    if (files.length === 0) return;
    setBusy(true);
    setProblem(null);
    try {
      for (const skill of groupSkills(files)) showToast({ title: describe(await installSkill(skill)) });
    } catch (error) {
      setProblem(errorMessage(error));
    }
    setBusy(false);
    await queryClient.invalidateQueries({ queryKey: SKILLS_KEY });
  };
  const drop = async (transfer: DataTransfer) => {
    const files = await readDropped(transfer).catch(() => null);
    if (files === null)
      setProblem("What was dropped could not be read. Check that it is still there, then drop it again.");
    else await upload(files);
  };
  return { isBusy, problem, closeProblem: () => setProblem(null), upload, drop };
}

function describe({ outcome, name, version }: InstallSkillReply): string {
  if (outcome === "unchanged") return `${name} already has these files`;
  return outcome === "created" ? `Installed ${name}` : `${name} is now version ${version}`;
}
