"use client";
import { useQuery } from "@tanstack/react-query";
import { QueryState } from "@/components/admin/query-state";
import { PageHead } from "@/components/shell/page-head";
import { NotFoundState } from "@/components/ui/states/not-found-state";
import { agentQuery } from "@/lib/client/agents/agent-queries";
import { ApiError } from "@/lib/client/http/api";
import { AgentCrumbs } from "./agent-crumbs";
import { AgentEditor } from "./agent-editor";

/** The published agent, loaded, then its editor, which is notified when another version is published elsewhere. */
export function AgentEditorPage({ agentId }: { agentId: string }) {
  const agent = useQuery(agentQuery(agentId));
  return (
    <main className="flex min-h-0 min-w-0 flex-1 flex-col bg-surface">
      {agent.data ? (
        <AgentEditor agent={agent.data} />
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
                {() => null}
              </QueryState>
            )}
          </div>
        </>
      )}
    </main>
  );
}
