"use client";
import { useQuery } from "@tanstack/react-query";
import { PageHead } from "@/components/shell/page-head";
import { agentQuery } from "@/lib/client/agent-queries";
import { AgentCrumbs } from "./agent-crumbs";
import { AgentEditor } from "./agent-editor";
import { QueryState } from "./query-state";

/** The published agent, loaded, then its editor. A new version starts the editor anew. */
export function AgentEditorPage({ agentId }: { agentId: string }) {
  const agent = useQuery({ ...agentQuery(agentId), refetchOnWindowFocus: false });
  return (
    <main className="flex min-h-0 min-w-0 flex-1 flex-col bg-surface">
      {agent.data ? (
        <AgentEditor key={agent.data.version} agent={agent.data} />
      ) : (
        <>
          <PageHead lead={<AgentCrumbs />} title={agentId} />
          <div className="min-h-0 flex-1">
            <QueryState what="agent" query={agent}>
              {() => null}
            </QueryState>
          </div>
        </>
      )}
    </main>
  );
}
