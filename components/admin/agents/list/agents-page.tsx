"use client";
import { useQuery } from "@tanstack/react-query";
import { Plus, Upload } from "lucide-react";
import { parseAsStringLiteral, useQueryStates } from "nuqs";
import { useRef, useState } from "react";
import { DuplicateDialog } from "@/components/admin/agents/duplicate-dialog";
import { Page } from "@/components/shell/page";
import { PageHead } from "@/components/shell/page-head";
import { usePageKeys, useShell } from "@/components/shell/shell-context";
import { Button, LinkButton } from "@/components/ui/controls/button";
import { SearchField } from "@/components/ui/controls/search-field";
import { Segments } from "@/components/ui/controls/segments";
import { Kbd } from "@/components/ui/kbd";
import { QueryState } from "@/components/ui/states/query-state";
import { EmptyState } from "@/components/ui/states/state-block";
import { agentListQuery } from "@/lib/client/agents/agent-queries";
import {
  agentActivityQuery,
  archivedAgentsQuery,
  type ListedAgent,
  matchesSearch,
} from "@/lib/client/agents/list-agents";
import { useRowKeys } from "@/lib/client/ui/input/use-row-keys";
import { AgentTable } from "./agent-table";
import { DraftList } from "./draft-list";
import { ImportDialog } from "./import-dialog";
import { TemplateCards } from "./template-cards";

const KEYS = [
  { keys: "/", does: "Search" },
  { keys: "j k", does: "Next and previous agent" },
  { keys: "t", does: "Test chat" },
  { keys: "d", does: "Duplicate" },
];

const PERIODS = [
  { id: "1", name: "Today" },
  { id: "7", name: "7 days" },
  { id: "14", name: "14 days" },
] as const;

const URL_STATE = {
  show: parseAsStringLiteral(["used", "archived"]).withDefault("used"),
  days: parseAsStringLiteral(PERIODS.map(({ id }) => id)).withDefault("7"),
};

/** The list of agents, with running, waiting and failed runs, and a way to create one. */
export function AgentsPage() {
  const [{ show, days }, setUrl] = useQueryStates(URL_STATE, { history: "replace" });
  const agents = useQuery(agentListQuery);
  const archived = useQuery(archivedAgentsQuery);
  const activity = useQuery(agentActivityQuery);
  const drafts = activity.data?.filter(({ draft }) => draft !== null).length ?? 0;
  const [search, setSearch] = useState("");
  const [isImporting, setImporting] = useState(false);
  const [copied, setCopied] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const { go } = useShell();
  usePageKeys(KEYS);
  const withFocused = (act: (id: string) => void) => () => {
    const id = (document.activeElement as HTMLElement | null)?.dataset.agent;
    if (id !== undefined) act(id);
  };
  useRowKeys(list, {
    row: "[data-agent]",
    control: "[data-agent]",
    others: {
      "/": () => field.current?.focus(),
      d: withFocused(setCopied),
      t: withFocused((id) => go(`/admin/agents/${encodeURIComponent(id)}?focus=chat`)),
    },
  });
  const query = show === "archived" ? archived : agents;
  return (
    <Page>
      <PageHead
        title="Agents"
        facts={
          <span className="tnum ml-2 text-xs text-muted max-sm:hidden">
            {agents.data?.length}
            {drafts > 0 ? `, ${drafts} with a draft` : ""}
          </span>
        }
        actions={
          <>
            <Button onPress={() => setImporting(true)} className="max-sm:hidden">
              <Upload aria-hidden />
              Import
            </Button>
            <LinkButton href="/admin/agents/new" variant="primary">
              <Plus aria-hidden />
              <span>
                New<span className="max-sm:hidden"> agent</span>
              </span>
            </LinkButton>
          </>
        }
      />
      <div className="flex shrink-0 items-center gap-2 border-b border-border px-4 py-1.5 max-sm:flex-wrap">
        <SearchField
          label="Search agents"
          placeholder="Search names, prompts, tools"
          shortcut="/"
          value={search}
          onChange={setSearch}
          inputRef={field}
          className="min-w-40 flex-1"
        />
        <Segments
          label="Which"
          options={[
            { id: "used", name: "In use" },
            { id: "archived", name: `Archived ${archived.data?.length ?? ""}`.trim() },
          ]}
          value={show}
          onChange={(id) => void setUrl({ show: id === "archived" ? "archived" : "used" })}
        />
        <span className="max-md:hidden">
          <Segments
            label="Period"
            options={PERIODS}
            value={days}
            onChange={(id) => void setUrl({ days: PERIODS.find((period) => period.id === id)?.id ?? "7" })}
          />
        </span>
      </div>
      <div ref={list} className="min-h-0 flex-1 overflow-y-auto">
        <QueryState what="agents" query={query}>
          {(found) => (
            <>
              {show === "used" ? <DraftList search={search} /> : null}
              <Found
                agents={found}
                search={search}
                days={Number(days)}
                isArchived={show === "archived"}
                onCopy={setCopied}
              />
              {show === "used" ? <TemplateCards /> : null}
            </>
          )}
        </QueryState>
      </div>
      <footer className="flex h-7 shrink-0 items-center gap-3 border-t border-border bg-background px-4 text-2xs text-muted max-sm:hidden">
        <span className="flex items-center gap-1">
          <Kbd>↵</Kbd> open
        </span>
        <span className="flex items-center gap-1">
          <Kbd>t</Kbd> test chat
        </span>
        <span className="flex items-center gap-1">
          <Kbd>d</Kbd> duplicate
        </span>
        <span className="ml-auto">Archived agents keep their runs and can come back.</span>
      </footer>
      {isImporting ? <ImportDialog onClose={() => setImporting(false)} /> : null}
      {copied === null ? null : <DuplicateDialog key={copied} agentId={copied} onClose={() => setCopied(null)} />}
    </Page>
  );
}

interface FoundProps {
  agents: readonly ListedAgent[];
  search: string;
  days: number;
  isArchived: boolean;
  onCopy: (agentId: string) => void;
}

function Found({ agents, search, ...rest }: FoundProps) {
  const found = agents.filter((agent) => matchesSearch(agent, search));
  if (found.length > 0) return <AgentTable agents={found} {...rest} />;
  if (search !== "") {
    return (
      <EmptyState title="Nothing found" className="h-auto! py-12">
        No agent has “{search}” in its name, prompt or tools.
      </EmptyState>
    );
  }
  return (
    <EmptyState title={rest.isArchived ? "Nothing archived" : "No agents"} className="h-auto! py-12">
      {rest.isArchived
        ? "Agents that are archived keep their runs and wait here."
        : "An agent is a name, a model and a prompt, with the tools it may use. Start from a template below."}
    </EmptyState>
  );
}
