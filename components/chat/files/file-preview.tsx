"use client";
import { useQuery } from "@tanstack/react-query";
import Image from "next/image";
import { lazy, Suspense, useEffect, useState } from "react";
import { CodeBlock } from "@/components/ui/code/code-block";
import { Markdown } from "@/components/ui/markdown/markdown";
import { artifactKind, isReadByServer } from "@/lib/client/files/artifact/artifact-kind";
import { fileBytesQuery, type FilePreview as Preview } from "@/lib/client/files/file-queries";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { FileLoading, FileNote, FileProblem } from "./file-states";

const PdfFrame = lazy(async () => ({
  default: (await loadWithRetry(() => import("@/components/chat/artifact/pdf-frame"))).PdfFrame,
}));

const DocumentView = lazy(async () => ({
  default: (await loadWithRetry(() => import("@/components/chat/artifact/document-view"))).DocumentView,
}));

interface FilePreviewProps {
  threadId: string;
  path: string;
}

/** A file's current contents. */
export function FilePreview(props: FilePreviewProps) {
  const kind = artifactKind(props.path);
  if (!isReadByServer(kind)) return <BytesPreview {...props} />;
  return (
    <div className="flex h-[60vh] flex-col">
      <Suspense>
        <DocumentView {...props} version={null} kind={kind} />
      </Suspense>
    </div>
  );
}

function BytesPreview({ threadId, path }: FilePreviewProps) {
  const file = useQuery(fileBytesQuery(threadId, path));
  if (file.isPending) return <FileLoading />;
  if (file.isError) return <FileProblem error={file.error} onRetry={file.refetch} />;
  return <PreviewBody preview={file.data} path={path} />;
}

/** A displayable form of a file's bytes. */
export function PreviewBody({ preview, path }: { preview: Preview; path: string }) {
  switch (preview.kind) {
    case "none":
      return <FileNote>{preview.reason}</FileNote>;
    case "image":
      return <ImagePreview blob={preview.blob} path={path} />;
    case "pdf":
      return (
        <div className="flex h-[60vh] flex-col">
          <Suspense>
            <PdfFrame bytes={preview.blob} path={path} />
          </Suspense>
        </div>
      );
    case "markdown":
      return (
        <div className="p-4">
          <Markdown text={withoutMark(preview.text)} />
        </div>
      );
    case "text":
      if (preview.text === "") return <FileNote>The file is empty.</FileNote>;
      return (
        <CodeBlock
          isBare
          hasLineNumbers
          code={withoutMark(preview.text)}
          title={path}
          className="max-h-[60vh] overflow-auto"
        />
      );
  }
}

/** Without its byte order mark, which would be read as a first character. */
function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/u, "");
}

/** An image of the workspace: external resources and scripts in it are not loaded. */
export function ImagePreview({ blob, path }: { blob: Blob; path: string }) {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  if (url === null) return null;
  // A drawing has no size of its own; a small picture is not blown up.
  const fit = path.toLowerCase().endsWith(".svg") ? "object-contain" : "object-scale-down";
  return (
    <div className="relative h-[60vh]">
      <Image src={url} alt={path} fill unoptimized className={`p-4 ${fit}`} />
    </div>
  );
}
