"use client";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { parseAsBoolean, parseAsString, useQueryStates } from "nuqs";
import { Page } from "@/components/shell/page";
import { PageHead } from "@/components/shell/page-head";
import { NotFoundState } from "@/components/ui/states/not-found-state";
import { QueryState } from "@/components/ui/states/query-state";
import { SkeletonList } from "@/components/ui/states/skeleton";
import { agentQuery } from "@/lib/client/agents/agent-queries";
import { agentDraftQuery } from "@/lib/client/agents/draft/draft-queries";
import { ApiError } from "@/lib/client/http/api";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { AgentCrumbs } from "./agent-crumbs";

/** Form, YAML and their dependencies are large: they load when a page shows them. */
const AgentEditor = dynamic(async () => (await loadWithRetry(() => import("./editor/agent-editor"))).AgentEditor, {
  ssr: false,
  loading: () => <SkeletonList label="Loading the editor" rows={8} className="p-4" />,
});

const DraftPage = dynamic(async () => (await loadWithRetry(() => import("./new/draft-page"))).DraftPage, {
  ssr: false,
  loading: () => <SkeletonList label="Loading the draft" rows={8} className="p-4" />,
});

/** Any of them opens the whole editor, also before anything is published. */
const WHOLE = { all: parseAsBoolean.withDefault(false), tab: parseAsString, run: parseAsString };

/** Loads the agent and its draft, then shows their editor: the short one until a version is published. */
export function AgentEditorPage({ agentId }: { agentId: string }) {
  const agent = useQuery(agentQuery(agentId));
  const draft = useQuery(agentDraftQuery(agentId));
  const [{ all, tab, run }] = useQueryStates(WHOLE);
  const isWhole = all || tab !== null || run !== null;
  return (
    <Page>
      {agent.data?.version === null && draft.data && !isWhole ? (
        <DraftPage agent={agent.data} draft={draft.data} />
      ) : agent.data && draft.data ? (
        <AgentEditor agent={agent.data} draft={draft.data} />
      ) : (
        <>
          <PageHead lead={<AgentCrumbs />} title={agentId} />
          <div className="min-h-0 flex-1">
            {agent.error instanceof ApiError && agent.error.status === 404 ? (
              <NotFoundState what="agent" listHref="/admin/agents">
                It was deleted, or it does not exist yet.
              </NotFoundState>
            ) : (
              <QueryState what="agent" query={agent}>
                {() => (
                  <QueryState what="draft" query={draft}>
                    {() => null}
                  </QueryState>
                )}
              </QueryState>
            )}
          </div>
        </>
      )}
    </Page>
  );
}
