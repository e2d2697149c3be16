"use client";
import { useQuery } from "@tanstack/react-query";
import { ChevronLeft } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { AgentCrumbs } from "@/components/admin/agents/agent-crumbs";
import { ListCrumb } from "@/components/admin/list-crumb";
import { Page } from "@/components/shell/page";
import { PageHead } from "@/components/shell/page-head";
import { IconButton } from "@/components/ui/controls/icon-button";
import { EmptyState } from "@/components/ui/states/state-block";
import { agentListQuery } from "@/lib/client/agents/agent-queries";
import { queryString } from "@/lib/client/http/api";
import { moveDay, noteDay } from "@/lib/client/memory/memory-labels";
import { classNames } from "@/lib/client/ui/class-names";
import { useShortcuts } from "@/lib/client/ui/input/use-shortcuts";
import { MemoryDay } from "./memory-day";
import { MemoryDocumentView } from "./memory-document-view";
import { MemoryDocuments } from "./memory-documents";

interface Viewer {
  readonly id: string;
  readonly name: string;
}

/** The open item: a document, or a day, whose note may not exist yet. */
export interface MemoryPlace {
  readonly agentId: string;
  readonly userId: string;
  readonly documentId: string | null;
  readonly day: string | null;
}

/** An agent's memory for a person: its documents, who wrote each line, and every version. */
export function MemoryPage({ agentId, viewer }: { agentId: string; viewer: Viewer }) {
  // The URL says what is open, so that a reload and the back button show it again.
  const query = useSearchParams();
  return (
    <Page>
      <Memory
        viewer={viewer}
        first={{
          agentId,
          userId: query.get("user") ?? viewer.id,
          documentId: query.get("document"),
          day: query.get("day"),
        }}
      />
    </Page>
  );
}

function Memory({ viewer, first }: { viewer: Viewer; first: MemoryPlace }) {
  const [place, setPlace] = useState(first);
  const search = useRef<HTMLInputElement>(null);
  const go = (next: Partial<MemoryPlace>) => setPlace((now) => ({ ...now, ...next }));
  useEffect(() => {
    const { agentId, userId, documentId, day } = place;
    const query = queryString({ user: userId, document: documentId, day });
    window.history.replaceState(null, "", `/admin/agents/${encodeURIComponent(agentId)}/memory${query}`);
  }, [place]);
  const openDay = (day: string) => go({ day, documentId: null });
  const today = new Date().toISOString().slice(0, 10);
  useShortcuts({
    "/": () => search.current?.focus(),
    "[": () => openDay(moveDay(place.day ?? today, -1)),
    "]": () => openDay(moveDay(place.day ?? today, 1)),
  });
  const isOpen = place.documentId !== null || place.day !== null;
  const close = () => go({ documentId: null, day: null });
  const back = (
    <IconButton label="All documents" className="md:hidden" onPress={close}>
      <ChevronLeft />
    </IconButton>
  );
  const onOpen = (document: { id: string; path: string }) =>
    go({ documentId: document.id, day: noteDay(document.path) });
  return (
    <>
      <div className={classNames(isOpen && "max-md:hidden")}>
        <PageHead lead={<MemoryCrumbs agentId={place.agentId} />} title="Memory" />
      </div>
      <div className="flex min-h-0 flex-1">
        <MemoryDocuments
          viewer={viewer}
          place={place}
          searchRef={search}
          onOwner={(owner) => go({ ...owner, documentId: null, day: null })}
          onOpen={onOpen}
          onDay={openDay}
          className={classNames(isOpen && "max-md:hidden")}
        />
        <div className={classNames("flex min-w-0 flex-1 flex-col", !isOpen && "max-md:hidden")}>
          {place.documentId !== null ? (
            <MemoryDocumentView key={place.documentId} id={place.documentId} back={back} onDeleted={close} />
          ) : place.day === null ? (
            <EmptyState title="Choose a document">
              Each line shows who wrote it: a person, or a run and its step.
            </EmptyState>
          ) : (
            <MemoryDay place={place} day={place.day} back={back} onOpen={onOpen} />
          )}
        </div>
      </div>
    </>
  );
}

function MemoryCrumbs({ agentId }: { agentId: string }) {
  const agents = useQuery(agentListQuery);
  const name = agents.data?.find(({ id }) => id === agentId)?.name ?? agentId;
  return (
    <>
      <AgentCrumbs />
      <ListCrumb href={`/admin/agents/${encodeURIComponent(agentId)}?tab=knowledge`}>{name}</ListCrumb>
    </>
  );
}
