"use client";
import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, FileText } from "lucide-react";
import { parseAsString, useQueryState } from "nuqs";
import { MemoryDocumentView } from "@/components/admin/memory/memory-document-view";
import { Page } from "@/components/shell/page";
import { PageHead } from "@/components/shell/page-head";
import { useShell } from "@/components/shell/shell-context";
import { IconButton } from "@/components/ui/controls/icon-button";
import { QueryState } from "@/components/ui/states/query-state";
import { EmptyState } from "@/components/ui/states/state-block";
import { Time } from "@/components/ui/time";
import { documentName } from "@/lib/client/memory/document-names";
import { longDay, noteDay } from "@/lib/client/memory/memory-labels";
import { ownMemoryQuery } from "@/lib/client/memory/memory-queries";
import { classNames } from "@/lib/client/ui/class-names";
import type { MemoryDocument } from "@/lib/schema/files/memory";

/** What agents have written down about whoever looks, by agent; each document opens beside the list. */
export function OwnMemoryPage() {
  const { viewer } = useShell();
  const documents = useQuery(ownMemoryQuery(viewer.id));
  const [open, setOpen] = useQueryState("document", parseAsString);
  const back = (
    <IconButton label="All documents" className="md:hidden" onPress={() => void setOpen(null)}>
      <ChevronLeft />
    </IconButton>
  );
  return (
    <Page>
      <div className={classNames(open !== null && "max-md:hidden")}>
        <PageHead title="What is remembered about me" />
      </div>
      <QueryState what="documents" query={documents}>
        {(found) =>
          found.length === 0 ? (
            <EmptyState title="Nothing yet">Agents add lines when they learn something that lasts.</EmptyState>
          ) : (
            <div className="flex min-h-0 flex-1">
              <Documents
                documents={found}
                open={open}
                onOpen={(id) => void setOpen(id)}
                className={classNames(open !== null && "max-md:hidden")}
              />
              <div className={classNames("flex min-w-0 flex-1 flex-col", open === null && "max-md:hidden")}>
                {open === null ? (
                  <EmptyState title="Choose a document">
                    Each line shows who wrote it: you, or a run and its step.
                  </EmptyState>
                ) : (
                  <MemoryDocumentView key={open} id={open} back={back} onDeleted={() => void setOpen(null)} />
                )}
              </div>
            </div>
          )
        }
      </QueryState>
    </Page>
  );
}

interface DocumentsProps {
  documents: readonly MemoryDocument[];
  open: string | null;
  onOpen: (id: string) => void;
  className: string;
}

function Documents({ documents, open, onOpen, className }: DocumentsProps) {
  const agents = Map.groupBy(documents, ({ agentName }) => agentName);
  return (
    <nav
      aria-label="Documents"
      className={classNames(
        "w-[300px] shrink-0 overflow-y-auto border-r border-border bg-background p-2 max-md:w-full max-md:border-r-0",
        className,
      )}
    >
      {[...agents].map(([agentName, rows]) => (
        <section key={agentName} aria-label={agentName} className="mb-3">
          <h2 className="flex h-7 items-center truncate px-2 text-xs text-muted">{agentName}</h2>
          {rows.map((document) => (
            <button
              key={document.id}
              type="button"
              aria-current={document.id === open ? "page" : undefined}
              onClick={() => onOpen(document.id)}
              className="flex w-full items-start gap-2 rounded-md px-2 py-1.5 text-left text-sm touch-row hover:bg-default aria-[current=page]:bg-surface-tertiary"
            >
              <FileText className="mt-0.5 size-4 shrink-0 text-muted" aria-hidden />
              <span className="min-w-0 flex-1">
                <span className="flex items-baseline gap-2">
                  <span className="min-w-0 flex-1 truncate font-medium">{titleOf(document)}</span>
                  <Time at={document.updatedAt} className="text-xs text-muted" />
                </span>
                <span className="block text-xs text-muted">{documentName(document.path)?.says ?? document.path}</span>
              </span>
            </button>
          ))}
        </section>
      ))}
    </nav>
  );
}

function titleOf({ path }: MemoryDocument): string {
  const day = noteDay(path);
  if (day !== null) return `Notes of ${longDay(day)}`;
  return documentName(path)?.name ?? path;
}
