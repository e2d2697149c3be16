"use client";
import { FileText } from "lucide-react";
import { useParams } from "next/navigation";
import { lazy, Suspense, use } from "react";
import { SharedContext } from "@/components/share/shared-context";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";

const OpenableFiles = lazy(async () => ({
  default: (await loadWithRetry(() => import("./openable-files"))).OpenableFiles,
}));

export interface MessageFile {
  readonly path: string;
  /** As written. */
  readonly size: string;
}

export interface MessageFilesProps {
  files: readonly MessageFile[];
  /** The server has the message; until then its files may still be uploading. */
  isStored: boolean;
}

/** A message's files: if they can be read, each opens its preview and pictures are shown. */
export function MessageFiles({ files, isStored }: MessageFilesProps) {
  const threadId = useParams<{ threadId?: string }>()?.threadId;
  const isShared = use(SharedContext) !== null;
  if (isShared || !isStored || threadId === undefined) return <NamedFiles files={files} />;
  return (
    <Suspense fallback={<NamedFiles files={files} />}>
      <OpenableFiles threadId={threadId} files={files} />
    </Suspense>
  );
}

function NamedFiles({ files }: { files: readonly MessageFile[] }) {
  return (
    <ul aria-label="Attached files" className="flex flex-wrap gap-x-4 gap-y-1 pt-1 first:pt-0">
      {files.map(({ path, size }) => (
        <li key={path} className="flex max-w-full min-w-0 items-center gap-1.5 text-xs leading-5" title={path}>
          <FileText className="size-3.5 shrink-0 text-muted" aria-hidden />
          <span className="min-w-0 truncate">{path.slice(path.lastIndexOf("/") + 1)}</span>
          <span className="tnum shrink-0 text-muted">{size}</span>
        </li>
      ))}
    </ul>
  );
}
