"use client";
import { ChevronRight, Download, FilePlus2, FileText, FileX2, Folder, Upload } from "lucide-react";
import type { ReactNode } from "react";
import { DiffCount } from "@/components/ui/code/diff-count";
import { ChooseFilesButton } from "@/components/ui/controls/choose-files-button";
import { ICON_BUTTON } from "@/components/ui/controls/icon-button";
import { PathText } from "@/components/ui/path-text";
import { Section } from "@/components/ui/section";
import type { FileEntry } from "@/lib/client/files/file-queries";
import { formatBytes, formatCount } from "@/lib/client/ui/text/format";
import type { ChangedFile } from "@/lib/schema/files/workspace-file";

export interface FilesSectionProps {
  changed: readonly ChangedFile[];
  /** The folder that is open; "" is the top. */
  folder: string;
  entries: readonly FileEntry[] | null;
  /** Number of entries of a large folder that are not listed. */
  omitted: number;
  /** How many files there are and their size, in the head. */
  totals?: string | null;
  /** The loading state, or why there is no list. */
  placeholder: ReactNode;
  onFolder: (folder: string) => void;
  onFile: (path: string) => void;
  /** Everything in the open folder as one file; null if it is empty. */
  archiveUrl: string | null;
  /** Other threads that work on the same files. */
  sharedThreads: number;
  /** Null for people with read access only. */
  onUpload: ((files: readonly File[]) => void) | null;
  /** Name of the file being uploaded. */
  uploading: string | null;
}

const ROW = "flex h-7 w-full items-center gap-2 rounded-md px-2 text-left -outline-offset-2 touch-row hover:bg-default";

/** The files the thread changed first, then the workspace, folder by folder. */
export function FilesSection(props: FilesSectionProps) {
  const { changed, folder, entries, placeholder, onFolder, onFile } = props;
  return (
    <Section
      title="Files"
      extra={
        <>
          {changed.length > 0 ? <span>{changed.length} changed</span> : null}
          {props.totals ? <span>{props.totals}</span> : null}
          {props.archiveUrl === null ? <span className="size-6" /> : <DownloadAll href={props.archiveUrl} />}
          {props.onUpload === null ? null : <UploadButton onUpload={props.onUpload} />}
        </>
      }
    >
      <SharedNote threads={props.sharedThreads} />
      {changed.length > 0 ? (
        <ul aria-label="Changed files" className="-mx-2 mb-2 border-b border-separator pb-2">
          {changed.map((file) => (
            <li key={file.path}>
              <ChangedRow file={file} onFile={onFile} />
            </li>
          ))}
        </ul>
      ) : null}
      {folder === "" ? null : <Crumbs folder={folder} onFolder={onFolder} />}
      <p role="status" className="truncate text-xs text-muted">
        {props.uploading === null ? null : `Uploading ${props.uploading}`}
      </p>
      {placeholder}
      {entries === null ? null : (
        <ul aria-label={folder === "" ? "Workspace" : folder} className="-mx-2">
          {entries.map((entry) => (
            <li key={entry.name}>
              <EntryRow entry={entry} folder={folder} onFolder={onFolder} onFile={onFile} />
            </li>
          ))}
        </ul>
      )}
      {props.omitted > 0 ? (
        <p className="pt-1 text-xs text-muted">{formatCount(props.omitted)} more are not shown.</p>
      ) : null}
    </Section>
  );
}

function SharedNote({ threads }: { threads: number }) {
  if (threads === 0) return null;
  return (
    <p className="mb-2 text-xs text-muted">
      {`Shared with ${formatCount(threads)} other ${threads === 1 ? "thread" : "threads"}`}
    </p>
  );
}

const CHANGE_ICON = { created: FilePlus2, changed: FileText, deleted: FileX2 };

function ChangedRow({ file, onFile }: { file: ChangedFile; onFile: (path: string) => void }) {
  const Icon = CHANGE_ICON[file.operation];
  return (
    <button
      type="button"
      className={ROW}
      title={file.path}
      disabled={file.operation === "deleted"}
      onClick={() => onFile(file.path)}
    >
      <Icon className="size-3.5 shrink-0 text-muted" aria-label={file.operation} />
      <PathText path={file.path} />
      <DiffCount added={file.addedLines} removed={file.removedLines} />
      <ChevronRight className="size-3.5 shrink-0 text-subtle" aria-hidden />
    </button>
  );
}

interface EntryRowProps extends Pick<FilesSectionProps, "folder" | "onFolder" | "onFile"> {
  entry: FileEntry;
}

function EntryRow({ entry, folder, onFolder, onFile }: EntryRowProps) {
  const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
  const isFolder = entry.type === "dir";
  const Icon = isFolder ? Folder : FileText;
  return (
    <button type="button" className={ROW} title={path} onClick={() => (isFolder ? onFolder(path) : onFile(path))}>
      <Icon className="size-3.5 shrink-0 text-muted" aria-hidden />
      <span className="min-w-0 flex-1 truncate font-mono text-xs">{entry.name}</span>
      <span className="tnum shrink-0 text-2xs text-muted">{isFolder ? "" : formatBytes(entry.size)}</span>
      <ChevronRight className="size-3.5 shrink-0 text-subtle" aria-hidden />
    </button>
  );
}

function Crumbs({ folder, onFolder }: { folder: string; onFolder: (folder: string) => void }) {
  const names = folder.split("/");
  return (
    <nav aria-label="Folder" className="mb-1 flex flex-wrap items-center gap-1 font-mono text-xs">
      <button type="button" className="text-link hover:underline" onClick={() => onFolder("")}>
        workspace
      </button>
      {names.map((name, index) => {
        const path = names.slice(0, index + 1).join("/");
        return (
          <span key={path} className="flex items-center gap-1">
            <span aria-hidden="true" className="text-subtle">
              /
            </span>
            {index === names.length - 1 ? (
              <span aria-current="true">{name}</span>
            ) : (
              <button type="button" className="text-link hover:underline" onClick={() => onFolder(path)}>
                {name}
              </button>
            )}
          </span>
        );
      })}
    </nav>
  );
}

function DownloadAll({ href }: { href: string }) {
  return (
    <a
      href={href}
      download
      aria-label="Download all files"
      title="Download all files"
      className={`${ICON_BUTTON} size-6 [&>svg]:size-3.5`}
    >
      <Download aria-hidden />
    </a>
  );
}

function UploadButton({ onUpload }: { onUpload: (files: readonly File[]) => void }) {
  return (
    <ChooseFilesButton label="Upload files" fieldLabel="Files to upload" size="xs" onFiles={onUpload}>
      <Upload />
    </ChooseFilesButton>
  );
}
