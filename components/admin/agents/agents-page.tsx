"use client";
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import Link from "next/link";
import { QueryState } from "@/components/admin/query-state";
import { PageHead } from "@/components/shell/page-head";
import { LinkButton } from "@/components/ui/controls/button";
import { EmptyState } from "@/components/ui/states/state-block";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { Tag } from "@/components/ui/tag";
import { Time } from "@/components/ui/time";
import { agentListQuery } from "@/lib/client/agents/agent-queries";
import type { AgentDetailList } from "@/lib/schema/agents/agent-api";
import { isUnsandboxed, needsSandbox } from "./sandbox-notice";

const COLUMNS = [
  { id: "name", label: "Agent", className: "max-md:w-full" },
  { id: "description", label: "What it is for", className: "w-full max-md:hidden" },
  { id: "model", label: "Model", className: "max-md:hidden" },
  { id: "tools", label: "Tools", align: "right", className: "max-lg:hidden" },
  { id: "version", label: "Version", align: "right", className: "max-sm:hidden" },
  { id: "updated", label: "Published", align: "right" },
] as const;

export function AgentsPage() {
  const agents = useQuery(agentListQuery);
  return (
    <main className="flex min-h-0 min-w-0 flex-1 flex-col bg-surface">
      <PageHead
        title="Agents"
        actions={
          <LinkButton href="/admin/agents/new" variant="primary">
            <Plus aria-hidden />
            New agent
          </LinkButton>
        }
      />
      <div className="min-h-0 flex-1 overflow-auto">
        <QueryState what="agents" query={agents}>
          {(found) => (found.length === 0 ? <NoAgents /> : <AgentTable agents={found} />)}
        </QueryState>
      </div>
    </main>
  );
}

function NoAgents() {
  return (
    <EmptyState
      title="No agents"
      actions={
        <LinkButton href="/admin/agents/new" variant="primary">
          New agent
        </LinkButton>
      }
    >
      An agent is a name, a model and a prompt, with the tools it may use. Create one to start chatting.
    </EmptyState>
  );
}

function AgentTable({ agents }: { agents: (typeof AgentDetailList)["_output"]["agents"] }) {
  return (
    <Table label="Agents">
      <TableHead columns={COLUMNS} />
      <tbody>
        {agents.map((agent) => (
          <TableRow key={agent.id}>
            <TableCell className="max-w-96 truncate max-md:w-full max-md:max-w-0">
              <Link
                href={`/admin/agents/${agent.id}`}
                title={agent.name}
                className="font-medium after:absolute after:inset-0"
              >
                {agent.name}
              </Link>
              <span className="ml-2 font-mono text-2xs text-muted">{agent.id}</span>
              {needsSandbox(agent) ? <Tag className="ml-2">no commands</Tag> : null}
              {isUnsandboxed(agent) ? <Tag className="ml-2 text-fail-text">no sandbox</Tag> : null}
            </TableCell>
            <TableCell className="max-w-0 truncate text-muted max-md:hidden">
              <span title={agent.description}>{agent.description}</span>
            </TableCell>
            <TableCell className="font-mono text-2xs text-muted max-md:hidden">{agent.model}</TableCell>
            <TableCell align="right" className="text-muted max-lg:hidden">
              {agent.tools.length}
            </TableCell>
            <TableCell align="right" className="max-sm:hidden">
              v{agent.version}
            </TableCell>
            <TableCell align="right" className="text-muted">
              <Time at={agent.updatedAt} />
            </TableCell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}
