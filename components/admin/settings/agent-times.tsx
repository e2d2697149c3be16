"use client";
import { useQuery } from "@tanstack/react-query";
import { Plus, X } from "lucide-react";
import { Button } from "@/components/ui/controls/button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { Field } from "@/components/ui/form/field";
import { SelectField } from "@/components/ui/form/select-field";
import { agentListQuery } from "@/lib/client/agents/agent-queries";
import type { Form } from "@/lib/client/forms/use-form";
import type { RetentionForm } from "@/lib/client/settings/retention-form";

/** Agents that keep their traces and steps for their own times. */
export function AgentTimesTable({ form }: { form: Form<RetentionForm> }) {
  const agents = useQuery(agentListQuery).data ?? [];
  const rows = form.values.retention.agents;
  const free = agents.filter(({ id }) => !rows.some(({ agentId }) => agentId === id));
  return (
    <section aria-label="Agents with their own times" className="px-5 py-4 max-sm:px-4">
      <h2 className="text-sm font-semibold">Agents with their own times</h2>
      <p className="mt-0.5 text-xs text-muted">
        {rows.length === 0
          ? "None: every agent keeps what the table above says."
          : "An empty field is kept as the table above says."}
      </p>
      {rows.map(({ agentId }, index) => (
        <fieldset
          key={agentId}
          aria-label={nameOf(agents, agentId)}
          className="mt-2 grid max-w-[640px] grid-cols-[1fr_1fr_1fr_auto] items-start gap-2 max-sm:grid-cols-2"
        >
          <SelectField
            of={form}
            name={`retention.agents.${index}.agentId`}
            label="Agent"
            options={agents.filter(({ id }) => id === agentId || free.some((agent) => agent.id === id))}
          />
          <Field of={form} name={`retention.agents.${index}.traces`} label="Traces" />
          <Field of={form} name={`retention.agents.${index}.events`} label="Steps of runs" />
          <IconButton
            label={`Remove the times of ${nameOf(agents, agentId)}`}
            className="mt-5"
            onPress={() => form.set("retention.agents", rows.toSpliced(index, 1))}
          >
            <X />
          </IconButton>
        </fieldset>
      ))}
      <Button
        variant="outline"
        className="mt-3"
        isDisabled={free.length === 0}
        onPress={() =>
          form.set("retention.agents", [...rows, { agentId: free[0]?.id ?? "", traces: "30 days", events: "" }])
        }
      >
        <Plus aria-hidden /> Add agent
      </Button>
    </section>
  );
}

function nameOf(agents: readonly { id: string; name: string }[], id: string): string {
  return agents.find((agent) => agent.id === id)?.name ?? id;
}
