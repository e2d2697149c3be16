"use client";
import { useQuery } from "@tanstack/react-query";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useRef } from "react";
import { Page } from "@/components/shell/page";
import { usePageKeys } from "@/components/shell/shell-context";
import { TracesHead } from "@/components/trace/traces-head";
import { SearchField } from "@/components/ui/controls/search-field";
import { Segments } from "@/components/ui/controls/segments";
import { QueryState } from "@/components/ui/states/query-state";
import { EmptyState } from "@/components/ui/states/state-block";
import { agentsQuery } from "@/lib/client/chat/thread-queries";
import { problemsQuery } from "@/lib/client/trace/problem-queries";
import { classNames } from "@/lib/client/ui/class-names";
import { useSettledText } from "@/lib/client/ui/input/use-settled-text";
import { useShortcuts } from "@/lib/client/ui/input/use-shortcuts";
import { fold } from "@/lib/schema/fold";
import { type Problem, ProblemState } from "@/lib/schema/traces/problem";
import { ProblemDetail } from "./problem-detail";
import { ProblemTable } from "./problem-table";

const PAGE_KEYS = [
  { keys: "/", does: "Search the problems" },
  { keys: "Esc", does: "Close the problem" },
] as const;
const CLOSE_KEY = "Escape";
const STATUS_LABELS = { open: "Open", resolved: "Resolved", ignored: "Ignored" } as const;
const URL_STATE = {
  q: parseAsString.withDefault(""),
  state: parseAsStringLiteral(ProblemState.options).withDefault("open"),
  /** The one whose details are open. */
  problem: parseAsString,
};

/** What goes wrong in runs, grouped: administrators see everybody's, others that of their own runs. */
export function ProblemsPage({ isAdmin }: { isAdmin: boolean }) {
  const [url, setUrl] = useQueryStates(URL_STATE, { history: "replace" });
  const searchRef = useRef<HTMLInputElement>(null);
  const search = useSettledText(url.q, (text) => void setUrl({ q: text === "" ? null : text }));
  const query = useQuery(problemsQuery);
  const { data: agents = [] } = useQuery(agentsQuery);
  const nameOf = (agentId: string) => agents.find(({ id }) => id === agentId)?.name ?? agentId;
  const found = query.data?.problems.filter((problem) => has(problem, nameOf(problem.agentId), url.q)) ?? [];
  usePageKeys(PAGE_KEYS);
  const close = () => void setUrl({ problem: null });
  useShortcuts({ "/": () => searchRef.current?.focus(), [CLOSE_KEY]: close });
  const opened = query.data?.problems.find(({ id }) => id === url.problem);
  return (
    <Page>
      <TracesHead current="problems" />
      <div className="flex min-h-11 shrink-0 items-center gap-1.5 border-b border-border px-4 py-1.5 max-md:flex-col max-md:items-stretch max-md:px-3">
        <SearchField
          {...search}
          label="Search problems"
          placeholder="Search problems, tools, agents"
          inputRef={searchRef}
          shortcut="/"
          className="min-w-0 flex-1 max-md:flex-none"
        />
        <Segments
          label="State"
          options={ProblemState.options.map((id) => ({
            id,
            name: STATUS_LABELS[id],
            count: found.filter(({ state }) => state === id).length,
          }))}
          value={url.state}
          onChange={(id) => void setUrl({ state: ProblemState.options.find((state) => state === id) ?? null })}
        />
      </div>
      <div className="flex min-h-0 flex-1">
        <div className={classNames("min-h-0 min-w-0 flex-1 overflow-auto", opened && "max-lg:hidden")}>
          <QueryState what="problems" query={query}>
            {({ problems }) => {
              const shown = found.filter(({ state }) => state === url.state);
              if (shown.length > 0) {
                return (
                  <ProblemTable
                    problems={shown}
                    nameOf={nameOf}
                    isAdmin={isAdmin}
                    shownId={url.problem}
                    onShow={(problem) => void setUrl({ problem })}
                  />
                );
              }
              if (problems.length === 0) {
                return (
                  <EmptyState title="No problems in 28 days">
                    Runs that fail alike, tools that keep failing, refused calls and bad ratings are grouped here.
                  </EmptyState>
                );
              }
              return (
                <EmptyState title={`No ${STATUS_LABELS[url.state].toLowerCase()} problem matches`}>
                  The last 28 days have {problems.length} in all states.
                </EmptyState>
              );
            }}
          </QueryState>
        </div>
        {opened ? <ProblemDetail problem={opened} agentName={nameOf(opened.agentId)} onClose={close} /> : null}
      </div>
    </Page>
  );
}

function has({ title, tool }: Problem, agentName: string, text: string): boolean {
  return fold(`${title} ${tool ?? ""} ${agentName}`).includes(fold(text.trim()));
}
