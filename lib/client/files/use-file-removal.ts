"use client";
import { useQueryClient } from "@tanstack/react-query";
import { errorMessage } from "@/lib/client/http/api";
import { filesKey } from "@/lib/client/http/query-keys";
import { showToast } from "@/lib/client/ui/toast-store";
import { deleteFile } from "./file-queries";

/** Deletes a thread's file and offers to undo that; shows any error and refetches the files. */
export function useFileRemoval(threadId: string): (path: string) => Promise<void> {
  const queryClient = useQueryClient();
  const attempt = async (work: Promise<void>) => {
    try {
      await work;
    } catch (error) {
      showToast({ title: errorMessage(error), tone: "error" });
    }
    await queryClient.invalidateQueries({ queryKey: filesKey(threadId) });
  };
  const remove = async (path: string) => {
    const undo = await deleteFile(threadId, path);
    showToast({ title: `Deleted ${path}`, onUndo: () => void attempt(undo()) });
  };
  return (path) => attempt(remove(path));
}
