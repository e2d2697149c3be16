"use client";
import { useQuery } from "@tanstack/react-query";
import { parseAsString, useQueryState } from "nuqs";
import type { ReactNode } from "react";
import { AgentCrumbs } from "@/components/admin/agents/agent-crumbs";
import { ListCrumb } from "@/components/admin/list-crumb";
import { Page } from "@/components/shell/page";
import { PageHead } from "@/components/shell/page-head";
import { Select } from "@/components/ui/controls/select";
import { NotFoundState } from "@/components/ui/states/not-found-state";
import { QueryState } from "@/components/ui/states/query-state";
import { agentQuery, agentVersionsQuery } from "@/lib/client/agents/agent-queries";
import { ApiError } from "@/lib/client/http/api";

export interface PreviewFrameProps<Data> {
  agentId: string;
  title: string;
  /** Names the content for the loading state: "prompt". */
  what: string;
  /** `draft` or a number. */
  version: string;
  onVersion: (version: string) => void;
  query: { readonly data: Data | undefined; readonly error: Error | null; readonly refetch: () => unknown };
  actions?: ReactNode;
  children: (data: Data) => ReactNode;
}

/** The previewed version, from the page's URL. */
export function usePreviewedVersion() {
  return useQueryState("of", parseAsString.withDefault("draft").withOptions({ history: "replace" }));
}

/** A page that shows one aspect of an agent's draft or version. */
export function PreviewFrame<Data>(props: PreviewFrameProps<Data>) {
  const { agentId, title, what, version, onVersion, query, actions, children } = props;
  const agent = useQuery(agentQuery(agentId));
  const versions = useQuery(agentVersionsQuery(agentId));
  const options = [
    { id: "draft", name: "Draft" },
    ...(versions.data ?? []).map(({ number, current }) => ({
      id: String(number),
      name: current ? `v${number}, live` : `v${number}`,
    })),
  ];
  const shown = options.some(({ id }) => id === version) ? options : [...options, { id: version, name: version }];
  const isGone = versions.error instanceof ApiError && versions.error.status === 404;
  return (
    <Page>
      <PageHead
        lead={
          <span className="flex min-w-0 items-center gap-2 max-sm:hidden">
            <AgentCrumbs />
            <ListCrumb href={`/admin/agents/${encodeURIComponent(agentId)}`}>{agent.data?.name ?? agentId}</ListCrumb>
          </span>
        }
        title={title}
        actions={
          <>
            <Select look="bare" label="Version" value={version} options={shown} onChange={onVersion} />
            {actions}
          </>
        }
      />
      {isGone ? (
        <NotFoundState what="agent" listHref="/admin/agents">
          It was deleted, or it does not exist yet.
        </NotFoundState>
      ) : (
        <QueryState what={what} query={query}>
          {children}
        </QueryState>
      )}
    </Page>
  );
}
