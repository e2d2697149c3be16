"use client";
import { X } from "lucide-react";
import { IconButton } from "@/components/ui/controls/icon-button";
import { LazySelect } from "@/components/ui/controls/lazy-select";
import { Mark } from "@/components/ui/mark";
import { EFFORT_WORDS } from "@/lib/client/agents/effort-words";
import { modelLabel } from "@/lib/client/agents/model-names";
import type { PickedState } from "@/lib/client/chat/composer/use-picked";
import type { AgentInfo } from "@/lib/schema/agents/agent-info";
import type { ProviderList } from "@/lib/schema/provider";

export interface AgentPickerProps {
  agents: readonly AgentInfo[];
  agentId: string | null;
  onAgent: (agentId: string) => void;
}

export function AgentPicker({ agents, agentId, onAgent }: AgentPickerProps) {
  return (
    <LazySelect
      label="Agent"
      value={agentId}
      onChange={onAgent}
      placeholder="No agent"
      isDisabled={agents.length === 0}
      options={agents.map((agent) => ({
        id: agent.id,
        name: agent.name,
        description: agent.description,
        icon: <Mark size={14} />,
      }))}
    />
  );
}

const AGENTS_OWN = "agent";

export interface ChoicePickersProps {
  agent: AgentInfo;
  picked: PickedState;
}

/** What the agent lets people pick for a message; only the name of its model where that is nothing. */
export function ChoicePickers({ agent, picked: { model, effort, set } }: ChoicePickersProps) {
  const { efforts } = agent.choices;
  const models = agent.choices.models.filter((choice) => choice !== agent.model);
  return (
    <>
      {models.length === 0 ? (
        <ModelName model={agent.model} />
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
            { id: AGENTS_OWN, name: "Usual effort", description: "What the model does by itself" },
            ...efforts.map((id) => ({ id, name: EFFORT_WORDS[id] })),
          ]}
        />
      )}
    </>
  );
}

/** Which agent answers the next message instead of the thread's. */
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

/** The model where there is no choice, or none yet. */
export function ModelName({ model }: { model: string }) {
  return <span className="min-w-0 truncate px-2 text-sm text-muted">{modelLabel(model)}</span>;
}

export function modelChoices({ providers }: ProviderList): string[] {
  return providers.flatMap(({ id, offered }) => offered.map((model) => `${id}:${model}`));
}

/** Whether a provider besides the demo model is configured. */
export function hasRealModels(list: ProviderList | undefined): boolean {
  return list?.providers.some(({ id }) => id !== "demo") ?? false;
}

/** Whether files can be given to the agent. */
export function hasWorkspace(agent: AgentInfo | undefined): boolean {
  return agent !== undefined && agent.backend !== null;
}

function providerOf(model: string): string {
  return model.slice(0, Math.max(0, model.indexOf(":")));
}
