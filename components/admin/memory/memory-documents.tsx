"use client";
import { useQuery } from "@tanstack/react-query";
import { FilePlus2, FileText } from "lucide-react";
import { type RefObject, useState } from "react";
import { Button } from "@/components/ui/controls/button";
import { SearchField } from "@/components/ui/controls/search-field";
import { Select } from "@/components/ui/controls/select";
import { Menu } from "@/components/ui/overlays/menu";
import { QueryState } from "@/components/ui/states/query-state";
import { agentListQuery } from "@/lib/client/agents/agent-queries";
import { MEMORY_KEY } from "@/lib/client/http/query-keys";
import { documentName } from "@/lib/client/memory/document-names";
import {
  createMemory,
  type MemoryOwner,
  memoryListQuery,
  memorySearchQuery,
  memoryTemplatesQuery,
} from "@/lib/client/memory/memory-queries";
import { classNames } from "@/lib/client/ui/class-names";
import { useSettledText } from "@/lib/client/ui/input/use-settled-text";
import { useAction } from "@/lib/client/ui/use-action";
import { everyUserQuery } from "@/lib/client/users/user-queries";
import type { MemoryDocument } from "@/lib/schema/files/memory";
import type { MemoryPlace } from "./memory-page";
import { NotesCalendar } from "./notes-calendar";

interface OpenDocument {
  readonly id: string;
  readonly path: string;
}

interface MemoryDocumentsProps {
  viewer: { readonly id: string; readonly name: string };
  place: MemoryPlace;
  searchRef: RefObject<HTMLInputElement | null>;
  onOwner: (owner: Partial<MemoryOwner>) => void;
  onOpen: (document: OpenDocument) => void;
  onDay: (day: string) => void;
  className?: string;
}

/** The owner picker, a search, the documents, and the daily notes as a calendar. */
export function MemoryDocuments({ viewer, place, searchRef, onOwner, onOpen, onDay, className }: MemoryDocumentsProps) {
  const [wanted, setWanted] = useState("");
  const search = useSettledText(wanted, setWanted);
  const documents = useQuery(memoryListQuery(place));
  return (
    <aside
      aria-label="Documents"
      className={classNames(
        "flex w-[248px] shrink-0 flex-col border-r border-border bg-background max-md:w-full max-md:border-r-0",
        className,
      )}
    >
      <div className="flex shrink-0 flex-col gap-2 p-3">
        <Owners viewer={viewer} place={place} onOwner={onOwner} />
        <SearchField
          label="Search every document"
          placeholder="Search every document"
          shortcut="/"
          inputRef={searchRef}
          {...search}
        />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        {wanted.trim() === "" ? (
          <>
            <QueryState what="documents" query={documents}>
              {(found) => <Groups documents={found} place={place} onOpen={onOpen} />}
            </QueryState>
            <NotesCalendar key={`${place.agentId} ${place.userId}`} place={place} onDay={onDay} onOpen={onOpen} />
          </>
        ) : (
          <Found place={place} text={wanted.trim()} onOpen={onOpen} />
        )}
      </div>
      <footer className="flex h-9 shrink-0 items-center border-t border-border px-4 text-xs text-muted">
        {countText(documents.data ?? [])}
      </footer>
    </aside>
  );
}

function countText(documents: readonly MemoryDocument[]): string {
  const notes = documents.filter(({ kind }) => kind === "daily").length;
  const others = documents.length - notes;
  return `${others} ${others === 1 ? "document" : "documents"}, ${notes} daily ${notes === 1 ? "note" : "notes"}`;
}

function Owners({ viewer, place, onOwner }: Pick<MemoryDocumentsProps, "viewer" | "place" | "onOwner">) {
  const agents = useQuery(agentListQuery);
  const users = useQuery(everyUserQuery);
  const people = users.data ?? [viewer];
  const all = people.some(({ id }) => id === viewer.id) ? people : [viewer, ...people];
  return (
    <div className="grid grid-cols-2 gap-2">
      <Select
        label="Agent"
        look="bare"
        className="rounded-md border border-border bg-surface"
        options={agents.data?.map(({ id, name }) => ({ id, name, description: id }))}
        value={place.agentId}
        onChange={(agentId) => onOwner({ agentId })}
      />
      <Select
        label="Person"
        look="bare"
        className="rounded-md border border-border bg-surface"
        options={all.map(({ id, name }) => ({ id, name }))}
        value={place.userId}
        onChange={(userId) => onOwner({ userId })}
      />
    </div>
  );
}

interface GroupsProps {
  documents: readonly MemoryDocument[];
  place: MemoryPlace;
  onOpen: (document: OpenDocument) => void;
}

function Groups({ documents, place, onOpen }: GroupsProps) {
  const lasting = documents.filter(({ kind }) => kind !== "daily");
  const [sample] = documents;
  const groups = [
    { title: `For everyone who uses ${sample?.agentName ?? place.agentId}`, rows: lasting.filter(isShared) },
    { title: `For ${sample?.userName ?? "this person"}`, rows: lasting.filter((document) => !isShared(document)) },
  ];
  return (
    <>
      {lasting.length === 0 ? (
        <p className="px-4 pb-2 text-xs text-muted">
          No documents yet. Runs write them when the agent has <code>memory.paths</code>, or you add one here.
        </p>
      ) : null}
      {groups.map(({ title, rows }) =>
        rows.length === 0 ? null : (
          <section key={title} aria-label={title} className="mb-2">
            <h2 className="truncate px-4 py-1 text-xs text-muted">{title}</h2>
            <ul className="px-2">
              {rows.map((document) => (
                <DocumentRow
                  key={document.id}
                  document={document}
                  isOpen={document.id === place.documentId}
                  onOpen={() => onOpen(document)}
                />
              ))}
            </ul>
          </section>
        ),
      )}
      <div className="px-3 pb-3">
        <AddDocument place={place} documents={documents} onOpen={onOpen} />
      </div>
    </>
  );
}

const isShared = ({ userId }: MemoryDocument) => userId === null;

interface DocumentRowProps {
  document: MemoryDocument;
  isOpen: boolean;
  onOpen: () => void;
}

function DocumentRow({ document, isOpen, onOpen }: DocumentRowProps) {
  const says = documentName(document.path)?.says;
  return (
    <li>
      <button
        type="button"
        aria-current={isOpen ? "page" : undefined}
        onClick={onOpen}
        className="flex min-h-7 w-full items-center gap-2 rounded-md px-2 py-1 text-left touch-row hover:bg-default aria-[current=page]:bg-surface-tertiary"
      >
        <FileText className="size-3.5 shrink-0 text-muted" aria-hidden />
        <span className="min-w-0 flex-1">
          <span className="block truncate font-mono text-xs">
            {document.path}
            {document.threadId === null ? null : <span className="text-muted"> {document.threadId}</span>}
          </span>
          {says === undefined ? null : <span className="block text-xs text-muted">{says}</span>}
        </span>
        <span className="tnum text-xs text-muted">v{document.version}</span>
      </button>
    </li>
  );
}

const LONG_TERM = { path: "MEMORY.md", content: "# Memory\n" };

/** Adds a document that does not exist yet; the prompt files start from their templates. */
function AddDocument({ place, documents, onOpen }: GroupsProps) {
  const templates = useQuery(memoryTemplatesQuery);
  const { mutate, isPending } = useAction({
    mutationFn: createMemory,
    onSuccess: onOpen,
    invalidates: [MEMORY_KEY],
  });
  const known = new Set(documents.map(({ path }) => path));
  const missing = [LONG_TERM, ...(templates.data ?? [])].filter(({ path }) => !known.has(path));
  if (missing.length === 0) return null;
  return (
    <Menu
      label="Documents to add"
      placement="bottom start"
      trigger={
        <Button variant="ghost" isPending={isPending}>
          <FilePlus2 aria-hidden />
          Add a document
        </Button>
      }
      actions={missing.map(({ path, content }) => ({
        id: path,
        label: path,
        onAction: () => mutate({ agentId: place.agentId, userId: place.userId, path, content }),
      }))}
    />
  );
}

interface FoundProps {
  place: MemoryPlace;
  text: string;
  onOpen: (document: OpenDocument) => void;
}

function Found({ place, text, onOpen }: FoundProps) {
  const results = useQuery(memorySearchQuery(place, text));
  return (
    <QueryState what="results" query={results}>
      {(found) =>
        found.length === 0 ? (
          <p className="px-4 text-sm text-muted">No document has a line with all of these words.</p>
        ) : (
          <ul aria-label="Found" className="px-2">
            {found.map((hit) => (
              <li key={`${hit.id}:${hit.line}`}>
                <button
                  type="button"
                  onClick={() => onOpen(hit)}
                  className="block w-full rounded-md px-2 py-1.5 text-left hover:bg-default"
                >
                  <span className="block truncate font-mono text-2xs text-muted">
                    {hit.path}:{hit.line}
                  </span>
                  <span className="line-clamp-2 text-sm wrap-anywhere">{hit.text}</span>
                </button>
              </li>
            ))}
          </ul>
        )
      }
    </QueryState>
  );
}
