"use client";
import { useQuery } from "@tanstack/react-query";
import { AppWindow, Download, FileText, Maximize2, Minimize2, Pencil, RefreshCw, X } from "lucide-react";
import dynamic from "next/dynamic";
import { lazy, Suspense, useState } from "react";
import { VersionDiff } from "@/components/chat/files/file-changes";
import { FileLoading, FileNote, FileProblem } from "@/components/chat/files/file-states";
import { ICON_BUTTON, IconButton } from "@/components/ui/controls/icon-button";
import { Segments } from "@/components/ui/controls/segments";
import { PathText } from "@/components/ui/path-text";
import { type ArtifactKind, artifactKind, isReadByServer, isTextual } from "@/lib/client/files/artifact/artifact-kind";
import type { OpenFile } from "@/lib/client/files/artifact/file-opener";
import { contentUrl, fileVersionsQuery, versionBytesQuery } from "@/lib/client/files/file-queries";
import { useFileRemoval } from "@/lib/client/files/use-file-removal";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { formatBytes } from "@/lib/client/ui/text/format";
import type { FileVersion } from "@/lib/schema/files/workspace-file";
import { ArtifactCode } from "./artifact-code";
import { ArtifactView } from "./artifact-view";
import { VersionSlider } from "./version-slider";

const FileDialog = lazy(async () => ({
  default: (await loadWithRetry(() => import("@/components/chat/files/file-dialog"))).FileDialog,
}));

const DocumentView = dynamic(async () => (await loadWithRetry(() => import("./document-view"))).DocumentView, {
  loading: () => null,
});

/** Larger files are downloaded. */
const LARGEST_SHOWN_BYTES = 5_000_000;

export interface ArtifactPanelProps {
  threadId: string;
  path: string;
  /** The line to scroll to. */
  line: number | null;
  isExpanded: boolean;
  /** Null if it already has all the room. */
  onExpand: (() => void) | null;
  onOpen: OpenFile;
  /** Puts a request into the composer; null for people with read access only. */
  onAsk: ((text: string) => void) | null;
  mayChange: boolean;
  onClose: () => void;
}

type View = "seen" | "code" | "changes";

const SEEN_NAMES: Readonly<Record<ArtifactKind, string>> = {
  page: "Page",
  image: "Image",
  markdown: "Page",
  table: "Table",
  pdf: "Pages",
  document: "Text",
  sheets: "Sheets",
  notebook: "Notebook",
  text: "Code",
};

/** One file as it is meant to be seen, as source, and the changes of each version. */
export function ArtifactPanel(props: ArtifactPanelProps) {
  const { threadId, path, onOpen } = props;
  const kind = artifactKind(path);
  const versions = useQuery(fileVersionsQuery(threadId, path));
  const [view, setView] = useState<View>(props.line !== null || kind === "text" ? "code" : "seen");
  const [line, setLine] = useState(props.line);
  const [chosen, setChosen] = useState<number | null>(null);
  const [loads, setLoads] = useState(0);
  const [isEditing, setEditing] = useState(false);
  const remove = useFileRemoval(threadId);
  const all = versions.data ?? [];
  const shown = all.find(({ version }) => version === chosen) ?? all[0];
  const showLine = (at: number, inPath?: string) => {
    if (inPath !== undefined && inPath !== path) return onOpen(inPath, at);
    setLine(at);
    setView("code");
  };
  return (
    <>
      <PanelHead
        {...props}
        kind={kind}
        view={view}
        onView={setView}
        href={contentUrl(threadId, path, chosen ?? undefined)}
        onReload={() => setLoads(loads + 1)}
        onEdit={props.mayChange ? () => setEditing(true) : null}
      />
      {isEditing ? (
        <Suspense>
          <FileDialog
            threadId={threadId}
            path={path}
            onDelete={() => {
              setEditing(false);
              props.onClose();
              void remove(path);
            }}
            onClose={() => setEditing(false)}
          />
        </Suspense>
      ) : null}
      {all.length > 1 && shown !== undefined ? (
        <VersionSlider versions={all} shown={shown.version} onShow={setChosen} />
      ) : null}
      <div className="flex min-h-0 flex-1 flex-col" key={loads}>
        {versions.isPending ? (
          <FileLoading />
        ) : view === "changes" ? (
          <div className="min-h-0 flex-1 overflow-auto">
            {shown === undefined ? (
              <FileNote>No version of this file has been kept yet.</FileNote>
            ) : (
              <VersionDiff threadId={threadId} path={path} version={shown.version} isTall />
            )}
          </div>
        ) : (
          <Content
            {...props}
            shown={shown}
            isNewest={shown === all[0]}
            view={view}
            kind={kind}
            line={line}
            onLine={showLine}
          />
        )}
      </div>
    </>
  );
}

interface PanelHeadProps extends ArtifactPanelProps {
  kind: ArtifactKind;
  view: View;
  onView: (view: View) => void;
  href: string;
  onReload: () => void;
  /** Null for people with read access only. */
  onEdit: (() => void) | null;
}

function PanelHead({
  path,
  kind,
  view,
  onView,
  href,
  onReload,
  isExpanded,
  onExpand,
  onEdit,
  onClose,
}: PanelHeadProps) {
  const Icon = kind === "page" ? AppWindow : FileText;
  const views = [
    ...(kind === "text" ? [] : [{ id: "seen", name: SEEN_NAMES[kind] }]),
    ...(isTextual(path) ? [{ id: "code", name: "Code" }] : []),
    { id: "changes", name: "Changes" },
  ];
  return (
    <header className="flex min-h-12 shrink-0 flex-wrap items-center gap-x-2 gap-y-1 border-b border-border px-3 py-1.5">
      <Icon className="size-4 shrink-0 text-muted" aria-hidden />
      <h2 className="flex min-w-24 flex-1 font-mono text-xs">
        <PathText path={path} />
      </h2>
      <span className="flex max-sm:order-1 max-sm:w-full">
        <Segments label="View of the file" options={views} value={view} onChange={(id) => onView(id as View)} />
      </span>
      <span className="flex">
        <IconButton label="Reload" onPress={onReload}>
          <RefreshCw />
        </IconButton>
        {onEdit === null ? null : (
          <IconButton label="Edit or delete" onPress={onEdit}>
            <Pencil />
          </IconButton>
        )}
        <a
          href={href}
          download
          aria-label="Download"
          title="Download"
          className={`${ICON_BUTTON} size-7 [&>svg]:size-4`}
        >
          <Download aria-hidden />
        </a>
        {onExpand === null ? null : (
          <IconButton label={isExpanded ? "Beside the chat" : "Fill the window"} onPress={onExpand}>
            {isExpanded ? <Minimize2 /> : <Maximize2 />}
          </IconButton>
        )}
        <IconButton label="Close the file" onPress={onClose}>
          <X />
        </IconButton>
      </span>
    </header>
  );
}

interface ContentProps extends ArtifactPanelProps {
  shown: FileVersion | undefined;
  isNewest: boolean;
  view: View;
  kind: ArtifactKind;
  line: number | null;
  onLine: (line: number, path?: string) => void;
}

function Content({ threadId, path, shown, isNewest, view, kind, line, onLine, onOpen, onAsk }: ContentProps) {
  const version = shown?.version ?? null;
  const isTooLarge = (shown?.sizeBytes ?? 0) > LARGEST_SHOWN_BYTES;
  const isShowable = !isTooLarge && shown?.deleted !== true;
  const bytes = useQuery({
    ...versionBytesQuery(threadId, path, version),
    enabled: isShowable && !isReadByServer(kind),
  });
  if (shown?.deleted)
    return <FileNote>{`Version ${version} deleted the file. An earlier one is still here.`}</FileNote>;
  if (isTooLarge) return <FileNote>{`${formatBytes(shown?.sizeBytes ?? 0)}, not shown here. Download it.`}</FileNote>;
  if (isReadByServer(kind)) return <DocumentView {...{ threadId, path, version, kind }} />;
  if (bytes.isPending) return <FileLoading />;
  if (bytes.isError) return <FileProblem error={bytes.error} onRetry={bytes.refetch} />;
  if (bytes.data.size > LARGEST_SHOWN_BYTES) {
    return <FileNote>{`${formatBytes(bytes.data.size)}, not shown here. Download it.`}</FileNote>;
  }
  if (view === "code") return <ArtifactCode bytes={bytes.data} path={path} line={line} />;
  return <ArtifactView {...{ threadId, path, version, isNewest, kind, onLine, onOpen, onAsk }} bytes={bytes.data} />;
}
