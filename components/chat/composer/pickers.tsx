"use client";
import { LazySelect } from "@/components/ui/controls/lazy-select";
import { Mark } from "@/components/ui/mark";
import { modelLabel } from "@/lib/client/agents/model-names";
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

export interface ModelPickerProps {
  providers: ProviderList;
  /** The agent's own model, used unless another is chosen. */
  ownModel: string;
  model: string | null;
  onModel: (model: string | null) => void;
}

/** Only where there is a choice: the agent's own model, or any model of a configured provider. */
export function ModelPicker({ providers, ownModel, model, onModel }: ModelPickerProps) {
  const models = modelChoices(providers).filter((choice) => choice !== ownModel);
  if (models.length === 0) {
    return <ModelName model={ownModel} />;
  }
  return (
    <LazySelect
      label="Model"
      className="text-muted"
      value={model === null || model === ownModel ? AGENTS_OWN : model}
      onChange={(id) => onModel(id === AGENTS_OWN ? null : id)}
      options={[
        { id: AGENTS_OWN, name: modelLabel(ownModel), description: "The agent's own model" },
        ...models.map((id) => ({ id, name: modelLabel(id), description: providerOf(id) })),
      ]}
    />
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
