import type { ReactNode } from "react";
import { Section } from "@/components/ui/section";
import { Tag } from "@/components/ui/tag";
import { formatTokens } from "@/lib/client/ui/text/format";
import type { AgentInfo } from "@/lib/schema/agents/agent-info";

/** What the published version offers, as everybody who may use it sees it. */
export function AgentFacts({ agent }: { agent: AgentInfo }) {
  return (
    <>
      <Section title={agent.name}>
        <p className="text-sm text-muted">{agent.description || "No description."}</p>
      </Section>
      <Section title="Model">
        <p className="font-mono text-xs break-all">{agent.model}</p>
        <p className="tnum text-xs text-muted">{formatTokens(agent.context_window)} tokens of context</p>
      </Section>
      <Section title="Tools" extra={agent.tools.length}>
        <Words empty="None.">
          {agent.tools.map((tool) => (
            <Tag key={tool} mono>
              {tool}
            </Tag>
          ))}
        </Words>
      </Section>
      <Section title="Hooks, in order" extra={agent.hooks.length}>
        {agent.hooks.length === 0 ? (
          <p className="text-xs text-muted">None.</p>
        ) : (
          <ol className="text-xs">
            {agent.hooks.map((hook, index) => (
              <li key={hook.name} className="flex gap-2 py-0.5">
                <span className="tnum w-4 shrink-0 text-right text-subtle">{index + 1}</span>
                <span className="shrink-0 font-mono">{hook.name}</span>
                <span className="min-w-0 truncate text-muted" title={hook.phases.join(", ")}>
                  {hook.phases.join(", ")}
                </span>
              </li>
            ))}
          </ol>
        )}
      </Section>
    </>
  );
}

function Words({ empty, children }: { empty: string; children: readonly ReactNode[] }) {
  if (children.length === 0) return <p className="text-xs text-muted">{empty}</p>;
  return <div className="flex flex-wrap gap-1">{children}</div>;
}
