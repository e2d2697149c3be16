"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { errorMessage } from "@/lib/client/http/api";
import { filesKey } from "@/lib/client/http/query-keys";
import { showToast } from "@/lib/client/ui/toast-store";
import { uploadFile } from "./file-queries";

/**
 * Uploads files into a folder, one after another. `uploading` is the name of the current one; a failure names its file.
 */
export function useFileUpload(threadId: string, folder: string) {
  const queryClient = useQueryClient();
  const [uploading, setUploading] = useState<string | null>(null);
  const arrives = async (file: File): Promise<boolean> => {
    setUploading(file.name);
    try {
      await uploadFile(threadId, folder === "" ? file.name : `${folder}/${file.name}`, file);
      return true;
    } catch (error) {
      showToast({ title: `${file.name} was not uploaded`, description: errorMessage(error), tone: "error" });
      return false;
    }
  };
  const upload = async (files: readonly File[]) => {
    const arrived: File[] = [];
    for (const file of files) if (await arrives(file)) arrived.push(file);
    setUploading(null);
    const [first] = arrived;
    if (first) {
      showToast({
        title: arrived.length === 1 ? `${first.name} is in the workspace` : `${arrived.length} files uploaded`,
      });
    }
    await queryClient.invalidateQueries({ queryKey: filesKey(threadId) });
  };
  return { uploading, upload };
}
