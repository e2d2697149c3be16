"use client";
import { useQuery } from "@tanstack/react-query";
import { Download, ListTree } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { Diff } from "@/components/ui/code/diff";
import { DiffCount } from "@/components/ui/code/diff-count";
import { ICON_BUTTON } from "@/components/ui/controls/icon-button";
import { SkeletonList } from "@/components/ui/states/skeleton";
import { ErrorState } from "@/components/ui/states/state-block";
import { Time } from "@/components/ui/time";
import { patchRows } from "@/lib/client/files/diff-rows";
import { contentUrl, fileDiffQuery, fileVersionsQuery } from "@/lib/client/files/file-queries";
import { summarizeError } from "@/lib/client/http/error-summary";
import type { FileVersion } from "@/lib/schema/files/workspace-file";

/** A file's versions, newest first, with the changes from each previous one. */
export function FileChanges({ threadId, path }: { threadId: string; path: string }) {
  const versions = useQuery(fileVersionsQuery(threadId, path));
  const [chosen, setChosen] = useState<number | null>(null);
  if (versions.isPending) return <SkeletonList label="Loading versions" rows={4} className="p-4" />;
  if (versions.isError) {
    const { message, ...facts } = summarizeError(versions.error);
    return (
      <ErrorState title="The versions could not be loaded" {...facts} onRetry={() => void versions.refetch()}>
        {message}
      </ErrorState>
    );
  }
  const shown = chosen ?? versions.data[0]?.version;
  if (shown === undefined) return <p className="p-4 text-sm text-muted">No version of this file has been kept yet.</p>;
  return (
    <>
      <ul aria-label="Versions" className="max-h-40 overflow-y-auto border-b border-border py-1">
        {versions.data.map((version) => (
          <VersionRow
            key={version.version}
            version={version}
            isShown={version.version === shown}
            href={contentUrl(threadId, path, version.version)}
            onShow={() => setChosen(version.version)}
          />
        ))}
      </ul>
      <VersionDiff threadId={threadId} path={path} version={shown} />
    </>
  );
}

interface VersionRowProps {
  version: FileVersion;
  isShown: boolean;
  href: string;
  onShow: () => void;
}

function VersionRow({ version, isShown, href, onShow }: VersionRowProps) {
  return (
    <li className={`flex items-center gap-2 pr-2 ${isShown ? "bg-selection" : "hover:bg-default"}`}>
      <button
        type="button"
        aria-current={isShown ? "true" : undefined}
        onClick={onShow}
        className="flex h-7 min-w-0 flex-1 items-center gap-3 px-4 max-sm:gap-2 max-sm:pr-1 text-left text-xs -outline-offset-2 touch-row"
      >
        <span className="shrink-0 font-medium">Version {version.version}</span>
        {version.deleted ? <span className="text-fail-text">deleted</span> : null}
        <span className="min-w-0 truncate text-muted">{versionAuthor(version)}</span>
        <span className="flex-1" />
        <DiffCount added={version.addedLines} removed={version.removedLines} />
        <Time at={version.createdAt} className="tnum w-14 shrink-0 text-right text-muted max-sm:w-auto" />
      </button>
      <RunLink version={version} />
      {version.deleted ? (
        <span className="size-6" />
      ) : (
        <a
          href={href}
          download
          aria-label={`Download version ${version.version}`}
          className={`${ICON_BUTTON} size-6 [&>svg]:size-3.5`}
        >
          <Download aria-hidden />
        </a>
      )}
    </li>
  );
}

/** A version's author, as text. */
function versionAuthor({ author, authorName, isOwn }: FileVersion): string {
  const texts: Record<FileVersion["author"], string> = {
    agent: isOwn || authorName === null ? "by the agent" : `by the agent, for ${authorName}`,
    user: `by ${authorName ?? "a person"}`,
    seeded: "the first version",
    outside: "changed outside any run",
  };
  return texts[author];
}

/** Links to the tool call that wrote the version; another person's run can't be opened. */
function RunLink({ version: { version, isOwn, runId, spanId } }: { version: FileVersion }) {
  if (!isOwn || runId === null) return <span className="size-6" />;
  return (
    <Link
      href={`/traces/${runId}${spanId === null ? "" : `?span=${spanId}`}`}
      aria-label={`Open the run of version ${version}`}
      className={`${ICON_BUTTON} size-6 [&>svg]:size-3.5`}
    >
      <ListTree aria-hidden />
    </Link>
  );
}

interface VersionDiffProps {
  threadId: string;
  path: string;
  version: number;
  /** The surrounding element scrolls. */
  isTall?: boolean;
}

/** A version's changes compared with the previous one. */
export function VersionDiff({ threadId, path, version, isTall = false }: VersionDiffProps) {
  const diff = useQuery(fileDiffQuery(threadId, path, version));
  if (diff.isPending)
    return <SkeletonList label="Comparing" rows={5} rowHeight={20} hasGlyph={false} className="p-4" />;
  if (diff.isError) return <p className="p-4 text-sm text-fail-text">{summarizeError(diff.error).message}</p>;
  const { patch } = diff.data;
  if (patch === null) return <p className="p-4 text-sm text-muted">One of the two versions is not text.</p>;
  if (patch === "") return <p className="p-4 text-sm text-muted">Nothing changed.</p>;
  return <Diff rows={patchRows(patch)} path={path} className={isTall ? undefined : "max-h-[50vh]"} />;
}
