"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { TryCallDialog } from "@/components/admin/agents/try-call-dialog";
import { Button, LinkButton } from "@/components/ui/controls/button";
import { Select } from "@/components/ui/controls/select";
import { QueryState } from "@/components/ui/states/query-state";
import { EmptyState } from "@/components/ui/states/state-block";
import { Tag } from "@/components/ui/tag";
import { agentListQuery, agentQuery } from "@/lib/client/agents/agent-queries";
import type { AgentDetail } from "@/lib/schema/agents/agent-api";
import { PermissionsConfig, ruleText } from "@/lib/schema/agents/agent-config-rules";

/** Each agent's rules, in the order in which they decide, and their verdict on a typed call. */
export function RulesPanel() {
  const agents = useQuery(agentListQuery);
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <QueryState what="agents" query={agents}>
      {(found) => {
        const agentId = chosen ?? found[0]?.id ?? null;
        if (agentId === null) return <NoAgents />;
        const options = found.map(({ id, name }) => ({ id, name, description: id }));
        return (
          <div className="mx-auto flex w-full max-w-[776px] flex-col gap-4 px-6 py-5 max-sm:px-3">
            <Select label="Agent" options={options} value={agentId} onChange={setChosen} className="max-w-80" />
            <AgentRules key={agentId} agentId={agentId} />
          </div>
        );
      }}
    </QueryState>
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
      Rules belong to an agent. Create one, then set its permissions.
    </EmptyState>
  );
}

function AgentRules({ agentId }: { agentId: string }) {
  const agent = useQuery(agentQuery(agentId));
  const [isTrying, setTrying] = useState(false);
  return (
    <QueryState what="rules" query={agent}>
      {(found) => (
        <>
          <Rules agent={found} />
          <div className="flex gap-2">
            <Button variant="primary" onPress={() => setTrying(true)}>
              Try a call
            </Button>
            <LinkButton href={`/admin/agents/${agentId}`}>Edit the agent</LinkButton>
          </div>
          {isTrying ? <TryCallDialog agent={found} onClose={() => setTrying(false)} /> : null}
        </>
      )}
    </QueryState>
  );
}

const ORDER = [
  { key: "deny", word: "Not allowed", note: "decides before everything else" },
  { key: "ask", word: "Asks a person", note: "unless exactly this call was allowed in the thread" },
  { key: "allow", word: "Runs", note: "without asking" },
] as const;

function Rules({ agent }: { agent: AgentDetail }) {
  const permissions = PermissionsConfig.safeParse(agent.config?.permissions ?? {});
  if (!permissions.success) {
    return (
      <p className="text-sm text-muted">The rules of this agent can't be shown here. Open the agent to see them.</p>
    );
  }
  const { enabled, mode, ...rules } = permissions.data;
  return (
    <>
      <p className="text-sm text-muted">
        {enabled
          ? `Where no rule decides, the mode ${mode} does.`
          : "Permissions are off for this agent: every call runs, except those of MCP tools that ask by themselves."}
      </p>
      <dl className="divide-y divide-separator border-y border-border">
        {ORDER.map(({ key, word, note }) => (
          <div key={key} className="grid grid-cols-[9rem_1fr] gap-4 py-3 max-sm:grid-cols-1 max-sm:gap-1">
            <dt className="text-sm">
              {word}
              <span className="block text-xs text-muted">{note}</span>
            </dt>
            <dd className="flex min-w-0 flex-wrap items-start gap-1.5">
              {rules[key].length === 0 ? <span className="text-sm text-muted">no rule</span> : null}
              {rules[key].map((rule) => (
                <Tag key={ruleText(rule)} mono className="h-auto! max-w-full py-0.5 break-all whitespace-normal!">
                  {ruleText(rule)}
                </Tag>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
