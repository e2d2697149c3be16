"use client";
import { useQueryClient } from "@tanstack/react-query";
import { showToast } from "@/components/ui/toast";
import { errorMessage } from "@/lib/client/api";
import { deleteSkill, restoreSkill, SKILLS_KEY } from "@/lib/client/skill-queries";

/** Deletes a skill at once and offers to take that back. True when it is gone. */
export function useDeleteSkill(): (name: string) => Promise<boolean> {
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
  return async (name) => {
    const isGone = await attempt(deleteSkill(name));
    if (isGone) showToast({ title: `Deleted ${name}`, onUndo: () => void attempt(restoreSkill(name)) });
    return isGone;
  };
}
