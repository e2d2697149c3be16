"use client";
import { X } from "lucide-react";
import { IconButton } from "@/components/ui/controls/icon-button";
import { LazySelect } from "@/components/ui/controls/lazy-select";
import { EFFORT_LABELS } from "@/lib/client/agents/effort-labels";
import { modelLabel } from "@/lib/client/agents/model-names";
import type { PickedState } from "@/lib/client/chat/composer/use-picked";
import type { AgentInfo } from "@/lib/schema/agents/agent-info";
import { ModelName } from "./model-name";

const AGENTS_OWN = "agent";

export interface ChoicePickersProps {
  agent: AgentInfo;
  picked: PickedState;
}

/** The model and effort for the next messages, from those that the agent allows. */
export function ChoicePickers({ agent, picked: { model, effort, set } }: ChoicePickersProps) {
  const { efforts } = agent.choices;
  const models = agent.choices.models.filter((choice) => choice !== agent.model);
  return (
    <>
      {models.length === 0 ? (
        <ModelName model={agent.model} isFixed />
      ) : (
        <LazySelect
          label="Model"
          className="text-muted"
          value={model ?? AGENTS_OWN}
          onChange={(id) => set({ model: id === AGENTS_OWN ? null : id })}
          options={[
            { id: AGENTS_OWN, name: modelLabel(agent.model), description: "The agent's own model" },
            ...models.map((id) => ({ id, name: modelLabel(id), description: providerOf(id) })),
          ]}
        />
      )}
      {efforts.length === 0 ? null : (
        <LazySelect
          label="Effort"
          className="text-muted"
          value={effort ?? AGENTS_OWN}
          onChange={(id) => set({ effort: efforts.find((offered) => offered === id) ?? null })}
          options={[
            { id: AGENTS_OWN, name: "Default effort", description: "The model's default" },
            ...efforts.map((id) => ({ id, name: EFFORT_LABELS[id] })),
          ]}
        />
      )}
    </>
  );
}

/** The agent that answers the next message instead of the thread's. */
export function AnswererTag({ agent, onRemove }: { agent: AgentInfo; onRemove: () => void }) {
  return (
    <span className="flex min-w-0 items-center gap-1 rounded-sm bg-default pl-2 text-sm">
      <span className="truncate">@{agent.name}</span>
      <span className="text-muted max-sm:hidden">answers this message</span>
      <IconButton label={`Do not ask ${agent.name}`} size="xs" onPress={onRemove}>
        <X />
      </IconButton>
    </span>
  );
}

function providerOf(model: string): string {
  return model.slice(0, Math.max(0, model.indexOf(":")));
}
