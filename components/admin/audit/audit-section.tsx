"use client";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Download, X } from "lucide-react";
import { useRef } from "react";
import { SettingsFrame } from "@/components/admin/settings/settings-frame";
import type { SectionProps } from "@/components/admin/settings/settings-page";
import { Button } from "@/components/ui/controls/button";
import { SearchField } from "@/components/ui/controls/search-field";
import { Select } from "@/components/ui/controls/select";
import { ShowMore } from "@/components/ui/show-more";
import { QueryState } from "@/components/ui/states/query-state";
import { EmptyState } from "@/components/ui/states/state-block";
import { StillPreparing } from "@/components/ui/states/still-preparing";
import { auditExportUrl, auditQuery } from "@/lib/client/audit/audit-queries";
import { AUDIT_PERIODS, type AuditView, useAuditView } from "@/lib/client/audit/use-audit-view";
import { useListKeys } from "@/lib/client/trace/use-list-keys";
import { useSettledText } from "@/lib/client/ui/input/use-settled-text";
import { everyUserQuery } from "@/lib/client/users/user-queries";
import type { AuditEntry } from "@/lib/schema/audit";
import { AuditTable } from "./audit-table";
import { ChainLine } from "./chain-line";
import { EntryDetail } from "./entry-detail";

/** The audit log: who changed what, with old and new values. */
export function AuditSection({ section }: Pick<SectionProps, "section">) {
  const view = useAuditView();
  const entries = useInfiniteQuery(auditQuery(view.filters));
  const { data: unfolded } = useInfiniteQuery({
    ...auditQuery(view.filters),
    select: ({ pages }) => pages[0]?.unfolded,
  });
  const show = (id: string) => void view.setUrl({ only: id, entry: id });
  return (
    <SettingsFrame
      section={section}
      actions={
        <a
          href={auditExportUrl(view.filters)}
          download
          className="inline-flex h-7 shrink-0 items-center gap-1.5 rounded-md border border-border-strong bg-surface px-2.5 text-xs font-medium touch-row hover:bg-default"
        >
          <Download className="size-[15px]" aria-hidden />
          Export NDJSON
        </a>
      }
    >
      <div className="flex h-full min-h-0 flex-col">
        <Filters view={view} />
        <ChainLine onShow={show} />
        <StillPreparing unfolded={unfolded} />
        <QueryState what="audit log" query={entries}>
          {(found) =>
            found.length === 0 ? (
              <Nothing view={view} />
            ) : (
              <Entries entries={found} view={view} more={<ShowMore query={entries} className="p-4" />} />
            )
          }
        </QueryState>
      </div>
    </SettingsFrame>
  );
}

const ANYBODY = "anybody";

function Filters({ view: { url, setUrl } }: { view: AuditView }) {
  const searchRef = useRef<HTMLInputElement>(null);
  const search = useSettledText(url.q, (text) => void setUrl({ q: text === "" ? null : text }));
  const users = useQuery(everyUserQuery);
  const people = (users.data ?? []).map(({ id, name }) => ({ id, name }));
  const isOther = url.actor !== "" && !people.some(({ id }) => id === url.actor);
  return (
    <div className="flex min-h-11 shrink-0 items-center gap-1.5 border-b border-border px-4 py-1.5 max-md:flex-col max-md:items-stretch max-md:px-3">
      <SearchField
        {...search}
        label="Search the audit log"
        placeholder="Search what was done, things, values"
        inputRef={searchRef}
        className="min-w-0 flex-1 max-md:flex-none"
      />
      <div className="flex items-center gap-1.5 overflow-x-auto [scrollbar-width:none] [&>*]:shrink-0">
        {url.target === "" && url.only === "" ? null : (
          <Button onPress={() => void setUrl({ target: null, only: null })}>
            Only {url.only === "" ? url.target : "this entry"}
            <X aria-label="Show all" />
          </Button>
        )}
        <Select
          look="bare"
          label="Time"
          options={AUDIT_PERIODS.map(({ id, name }) => ({ id, name }))}
          value={url.period}
          onChange={(id) => void setUrl({ period: AUDIT_PERIODS.find((period) => period.id === id)?.id ?? null })}
        />
        <Select
          look="bare"
          label="Who"
          options={[
            { id: ANYBODY, name: "Anybody" },
            ...(isOther ? [{ id: url.actor, name: url.actor }] : []),
            ...people,
          ]}
          value={url.actor === "" ? ANYBODY : url.actor}
          onChange={(id) => void setUrl({ actor: id === ANYBODY ? null : id })}
          className="max-w-44"
        />
      </div>
    </div>
  );
}

function Nothing({ view }: { view: AuditView }) {
  if (!view.isFiltered) {
    return (
      <EmptyState title="Nothing has been changed yet">
        Every sign-in and every change to agents, people, keys, tools and memory will be listed here.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No entry matches" actions={<Button onPress={view.clear}>Clear filters</Button>}>
      Search for another word, or choose a longer time.
    </EmptyState>
  );
}

interface EntriesProps {
  entries: readonly AuditEntry[];
  view: AuditView;
  more: React.ReactNode;
}

function Entries({ entries, view: { url, setUrl }, more }: EntriesProps) {
  const list = useRef<HTMLElement>(null);
  const index = entries.findIndex(({ id }) => id === url.entry);
  const selected = entries[index];
  const select = (entry: AuditEntry | undefined) => {
    if (entry) void setUrl({ entry: entry.id });
    return entry !== undefined;
  };
  const press = useListKeys(list, (key) => {
    if (key === "j" || key === "ArrowDown") return select(entries[index + 1]);
    if (key === "k" || key === "ArrowUp") return select(entries[index - 1]);
    if (key !== "Escape" || !selected) return false;
    void setUrl({ entry: null });
    return true;
  });
  return (
    <div className="relative flex min-h-0 flex-1">
      <section
        ref={list}
        aria-label="Entries"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reachable by keyboard.
        tabIndex={0}
        onKeyDown={press}
        className="min-w-0 flex-1 overflow-auto focus-visible:-outline-offset-2"
      >
        <AuditTable entries={entries} selected={url.entry} onSelect={(id) => void setUrl({ entry: id })} />
        {more}
      </section>
      {selected ? (
        <EntryDetail
          entry={selected}
          earlier={followed(entries, selected)}
          onSelect={(id) => void setUrl({ entry: id })}
          onTarget={(target) => void setUrl({ target })}
          onClose={() => void setUrl({ entry: null })}
        />
      ) : null}
    </div>
  );
}

/** The two entries before it in the chain, if they are in the list. */
function followed(entries: readonly AuditEntry[], { number }: AuditEntry): AuditEntry[] {
  if (number === null || number === 0) return [];
  return [number - 1, number - 2].flatMap((wanted) => entries.find((entry) => entry.number === wanted) ?? []);
}
