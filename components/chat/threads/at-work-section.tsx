"use client";
import { useOpenChildRun } from "@/components/chat/transcript/child-run-context";
import { Button } from "@/components/ui/controls/button";
import { Section } from "@/components/ui/section";
import { StateRing } from "@/components/ui/states/state-ring";
import { cancelRun } from "@/lib/client/chat/threads/thread-actions";
import { formatCost } from "@/lib/client/ui/text/format";
import { useAction } from "@/lib/client/ui/use-action";
import type { SubagentData } from "@/lib/schema/messages/ui-message";

interface AtWorkSectionProps {
  agents: readonly SubagentData[];
  /** False for readers, and while another member's run is active. */
  mayStop: boolean;
}

/** In the side panel: the agents that work for the run at the moment. */
export function AtWorkSection({ agents, mayStop }: AtWorkSectionProps) {
  return (
    <Section title="Working for this thread" extra={`${agents.length} now`}>
      <ul className="flex flex-col gap-2 text-sm">
        {agents.map((agent) => (
          <AtWork key={agent.runId} agent={agent} mayStop={mayStop} />
        ))}
      </ul>
    </Section>
  );
}

function AtWork({ agent, mayStop }: { agent: SubagentData } & Omit<AtWorkSectionProps, "agents">) {
  const openChild = useOpenChildRun();
  const { runId, name, description, status, delegate, costUsd } = agent;
  const stop = useAction({
    mutationFn: () => cancelRun(runId),
  });
  return (
    <li className="flex items-start gap-2">
      <span className="flex h-5 items-center">
        <StateRing status={status} size={12} labelled />
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-1.5">
          <span className="truncate font-medium">{name}</span>
          {delegate?.version ? <span className="text-muted">v{delegate.version}</span> : null}
          {costUsd ? <span className="tnum ml-auto">{formatCost(costUsd)}</span> : null}
        </p>
        <p className="truncate text-xs text-muted" title={description}>
          {description}
        </p>
        <p className="flex items-center gap-3 text-xs">
          {openChild === null ? null : (
            <button
              type="button"
              aria-haspopup="dialog"
              className="text-link hover:underline"
              onClick={() => openChild({ runId, title: `${name}: ${description}` })}
            >
              Open
            </button>
          )}
          {mayStop ? (
            <Button
              size="sm"
              variant="danger-ghost"
              className="ml-auto"
              aria-label={`Stop ${name}`}
              isPending={stop.isPending || stop.isSuccess}
              onPress={() => stop.mutate()}
            >
              Stop
            </Button>
          ) : null}
        </p>
      </div>
    </li>
  );
}
