"use client";
import { useQuery } from "@tanstack/react-query";
import { Plus, X } from "lucide-react";
import { Button } from "@/components/ui/controls/button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { Select } from "@/components/ui/controls/select";
import { TextField } from "@/components/ui/controls/text-field";
import { agentListQuery } from "@/lib/client/agents/agent-queries";
import { fieldState } from "@/lib/client/forms/problems";
import type { AgentTimes } from "@/lib/client/settings/retention-form";

export interface AgentTimesProps {
  rows: readonly AgentTimes[];
  problems: ReadonlyMap<string, string>;
  onChange: (rows: AgentTimes[]) => void;
}

/** Agents that keep their traces and steps for their own times. */
export function AgentTimesTable({ rows, problems, onChange }: AgentTimesProps) {
  const agents = useQuery(agentListQuery).data ?? [];
  const free = agents.filter(({ id }) => !rows.some(({ agentId }) => agentId === id));
  const change = (index: number, part: Partial<AgentTimes>) =>
    onChange(rows.map((row, place) => (place === index ? { ...row, ...part } : row)));
  return (
    <section aria-label="Agents with their own times" className="px-5 py-4 max-sm:px-4">
      <h2 className="text-sm font-semibold">Agents with their own times</h2>
      <p className="mt-0.5 text-xs text-muted">
        {rows.length === 0
          ? "None: every agent keeps what the table above says."
          : "An empty field is kept as the table above says."}
      </p>
      {rows.map((row, index) => (
        <fieldset
          key={row.agentId}
          aria-label={nameOf(agents, row.agentId)}
          className="mt-2 grid max-w-[640px] grid-cols-[1fr_1fr_1fr_auto] items-start gap-2 max-sm:grid-cols-2"
        >
          <Select
            label="Agent"
            options={agents.filter(({ id }) => id === row.agentId || free.some((agent) => agent.id === id))}
            value={row.agentId}
            onChange={(agentId) => change(index, { agentId })}
          />
          <TextField
            label="Traces"
            value={row.traces}
            onChange={(traces) => change(index, { traces })}
            {...fieldState(problems.get(`retention.agents.${row.agentId}.traces`))}
          />
          <TextField
            label="Steps of runs"
            value={row.events}
            onChange={(events) => change(index, { events })}
            {...fieldState(problems.get(`retention.agents.${row.agentId}.events`))}
          />
          <IconButton
            label={`Remove the times of ${nameOf(agents, row.agentId)}`}
            className="mt-5"
            onPress={() => onChange(rows.filter((_, place) => place !== index))}
          >
            <X />
          </IconButton>
        </fieldset>
      ))}
      <Button
        variant="outline"
        className="mt-3"
        isDisabled={free.length === 0}
        onPress={() => onChange([...rows, { agentId: free[0]?.id ?? "", traces: "30 days", events: "" }])}
      >
        <Plus aria-hidden /> Add agent
      </Button>
    </section>
  );
}

function nameOf(agents: readonly { id: string; name: string }[], id: string): string {
  return agents.find((agent) => agent.id === id)?.name ?? id;
}
