"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { deleteSkill, restoreSkill } from "@/lib/client/agents/skill-queries";
import { errorMessage } from "@/lib/client/ui/api";
import { SKILLS_KEY } from "@/lib/client/ui/query-keys";
import { showToast } from "@/lib/client/ui/toast-store";

export interface SkillDeletion {
  readonly isDeleting: boolean;
  /** Deletes a skill at once and offers to undo it. True when it is gone. */
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
