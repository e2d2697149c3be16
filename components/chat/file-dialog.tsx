"use client";
import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import Image from "next/image";
import { CodeBlock } from "@/components/ui/code-block";
import { Dialog } from "@/components/ui/dialog";
import { Diff } from "@/components/ui/diff";
import { Markdown } from "@/components/ui/markdown";
import { SkeletonList } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state-block";
import { type TabItem, Tabs } from "@/components/ui/tabs";
import type { ChangedFile } from "@/lib/client/changed-files";
import { patchRows } from "@/lib/client/diff-rows";
import { errorFacts } from "@/lib/client/error-facts";
import { downloadUrl, fileTextQuery, previewKind, type WorkspaceRef } from "@/lib/client/file-queries";

export interface FileDialogProps {
  workspace: WorkspaceRef;
  path: string;
  changed: ChangedFile | undefined;
  onClose: () => void;
}

/** One file: what is in it, and what its last change was. */
export function FileDialog({ workspace, path, changed, onClose }: FileDialogProps) {
  const items: TabItem[] = [
    { id: "preview", label: "Preview", content: <Preview workspace={workspace} path={path} /> },
  ];
  if (changed?.lastPatch) {
    items.push({
      id: "change",
      label: `Last change, version ${changed.version}`,
      content: <Diff rows={patchRows(changed.lastPatch)} path={path} className="max-h-[60vh]" />,
    });
  }
  return (
    <Dialog
      title={path}
      isOpen
      onClose={onClose}
      size="lg"
      actions={
        <a
          href={downloadUrl(workspace, path)}
          download
          className="inline-flex h-7 items-center gap-1.5 rounded-md border border-border-strong bg-surface px-2.5 text-xs font-medium touch-row hover:bg-default"
        >
          <Download className="size-[15px]" aria-hidden /> Download
        </a>
      }
    >
      <div className="-m-4">
        {items.length === 1 ? items[0]?.content : <Tabs label="Views of the file" items={items} />}
      </div>
    </Dialog>
  );
}

function Preview({ workspace, path }: { workspace: WorkspaceRef; path: string }) {
  const kind = previewKind(path);
  if (kind === "image") {
    return (
      <div className="relative h-[60vh]">
        <Image src={downloadUrl(workspace, path)} alt={path} fill unoptimized className="object-contain p-4" />
      </div>
    );
  }
  return <TextPreview workspace={workspace} path={path} isMarkdown={kind === "markdown"} />;
}

function TextPreview({ workspace, path, isMarkdown }: { workspace: WorkspaceRef; path: string; isMarkdown: boolean }) {
  const file = useQuery(fileTextQuery(workspace, path));
  if (file.isPending)
    return <SkeletonList label="Loading the file" rows={8} rowHeight={20} hasGlyph={false} className="p-4" />;
  if (file.isError) {
    const facts = errorFacts(file.error);
    return (
      <ErrorState
        title="The file can't be shown"
        code={facts.code}
        requestId={facts.requestId}
        onRetry={() => void file.refetch()}
      >
        {facts.message}
      </ErrorState>
    );
  }
  if (file.data.content === "") return <p className="p-4 text-sm text-muted">The file is empty.</p>;
  if (isMarkdown) {
    return (
      <div className="p-4">
        <Markdown text={file.data.content} />
      </div>
    );
  }
  return (
    <CodeBlock isBare hasLineNumbers code={file.data.content} title={path} className="max-h-[60vh] overflow-auto" />
  );
}
