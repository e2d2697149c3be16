"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { FileText } from "lucide-react";
import Image from "next/image";
import { lazy, Suspense, useEffect, useState } from "react";
import { useFileDisplay } from "@/lib/client/files/artifact/file-opener";
import { deleteFile, fileBytesQuery } from "@/lib/client/files/file-queries";
import { errorMessage } from "@/lib/client/http/api";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { filesKey } from "@/lib/client/http/query-keys";
import { showToast } from "@/lib/client/ui/toast-store";
import type { MessageFile } from "./message-files";

const FileDialog = lazy(async () => ({
  default: (await loadWithRetry(() => import("@/components/chat/files/file-dialog"))).FileDialog,
}));

const PICTURE_NAME = /\.(?:png|jpe?g|gif|webp)$/iu;

export interface OpenableFilesProps {
  threadId: string;
  files: readonly MessageFile[];
}

export function OpenableFiles({ threadId, files }: OpenableFilesProps) {
  const [open, setOpen] = useState<string | null>(null);
  const show = useFileDisplay(setOpen);
  const queryClient = useQueryClient();
  const remove = async (path: string) => {
    setOpen(null);
    try {
      await deleteFile(threadId, path);
      showToast({ title: `Deleted ${path}` });
    } catch (error) {
      showToast({ title: errorMessage(error), tone: "error" });
    }
    await queryClient.invalidateQueries({ queryKey: filesKey(threadId) });
  };
  return (
    <>
      <ul aria-label="Attached files" className="flex flex-wrap items-end gap-x-3 gap-y-1.5 pt-1 first:pt-0">
        {files.map(({ path, size }) => (
          <li key={path} className="max-w-full min-w-0">
            <button
              type="button"
              title={path}
              onClick={() => show(path)}
              className="flex max-w-full min-w-0 flex-col gap-1 rounded text-left text-xs leading-5 hover:text-link"
            >
              {PICTURE_NAME.test(path) ? <Thumbnail threadId={threadId} path={path} /> : null}
              <span className="flex max-w-full min-w-0 items-center gap-1.5 touch-row">
                <FileText className="size-3.5 shrink-0 text-muted" aria-hidden />
                <span className="min-w-0 truncate">{path.slice(path.lastIndexOf("/") + 1)}</span>
                <span className="tnum shrink-0 text-muted">{size}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {open === null ? null : (
        <Suspense>
          <FileDialog
            threadId={threadId}
            path={open}
            onDelete={() => void remove(open)}
            onClose={() => setOpen(null)}
          />
        </Suspense>
      )}
    </>
  );
}

/** Takes its space at once, so that nothing moves when the picture loads; a missing file shows none. */
function Thumbnail({ threadId, path }: { threadId: string; path: string }) {
  const { data, isError } = useQuery({ ...fileBytesQuery(threadId, path), retry: false });
  const blob = data?.kind === "image" ? data.blob : null;
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (blob === null) return;
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  if (isError) return null;
  return (
    <span className="relative block h-28 w-40 overflow-hidden rounded-md border border-border bg-default">
      {url === null ? null : <Image src={url} alt="" fill unoptimized className="object-contain" />}
    </span>
  );
}
