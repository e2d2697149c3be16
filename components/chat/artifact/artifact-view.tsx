"use client";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { ImagePreview } from "@/components/chat/files/file-preview";
import { FileNote } from "@/components/chat/files/file-states";
import { Markdown } from "@/components/ui/markdown/markdown";
import { type ArtifactKind, extensionOf, imageType } from "@/lib/client/files/artifact/artifact-kind";
import type { OpenFile } from "@/lib/client/files/artifact/file-opener";
import { changedFilesQuery } from "@/lib/client/files/file-queries";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { ArtifactCode, useFileText } from "./artifact-code";
import { PageFrame } from "./page-frame";
import { PdfFrame } from "./pdf-frame";

const TableView = dynamic(async () => (await loadWithRetry(() => import("./table-view"))).TableView, {
  loading: () => null,
});
const NotebookView = dynamic(async () => (await loadWithRetry(() => import("./notebook-view"))).NotebookView, {
  loading: () => null,
});

export interface ArtifactViewProps {
  threadId: string;
  path: string;
  version: number | null;
  kind: ArtifactKind;
  isNewest: boolean;
  bytes: Blob;
  onLine: (line: number, path?: string) => void;
  onOpen: OpenFile;
  onAsk: ((text: string) => void) | null;
}

/** A file as it is meant to be seen. */
export function ArtifactView({ kind, bytes, path, ...props }: ArtifactViewProps) {
  switch (kind) {
    case "page":
      return <Page path={path} {...props} />;
    case "image":
      return (
        <div className="min-h-0 flex-1 overflow-auto">
          <ImagePreview blob={bytes.slice(0, bytes.size, imageType(path))} path={path} />
        </div>
      );
    case "pdf":
      return <PdfFrame key={props.version} bytes={bytes} path={path} />;
    case "markdown":
    case "table":
    case "notebook":
      return <TextView kind={kind} bytes={bytes} path={path} />;
    default:
      return <ArtifactCode bytes={bytes} path={path} line={null} />;
  }
}

/** Reloaded when a file in its folder has changed, unless an older version is shown. */
function Page(props: Omit<ArtifactViewProps, "kind" | "bytes">) {
  const { threadId, path, version, isNewest } = props;
  const { data: changed = [] } = useQuery(changedFilesQuery(threadId));
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const stamp = isNewest ? changed.find((file) => file.path.startsWith(folder))?.changedAt : "";
  return <PageFrame key={`${version} ${stamp}`} {...props} />;
}

function TextView({ kind, bytes, path }: { kind: "markdown" | "table" | "notebook"; bytes: Blob; path: string }) {
  const text = useFileText(bytes);
  if (text === undefined) return null;
  if (text === null) return <FileNote>The file is not text. Download it.</FileNote>;
  if (kind === "table") return <TableView text={text} isTabbed={extensionOf(path) === "tsv"} />;
  return (
    <div className="min-h-0 flex-1 overflow-auto p-4 [--scroll-ground:var(--background)]">
      {kind === "notebook" ? <NotebookView text={text} /> : <Markdown text={text} />}
    </div>
  );
}
