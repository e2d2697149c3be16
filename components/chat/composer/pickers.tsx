"use client";
import { LazySelect } from "@/components/ui/controls/lazy-select";
import { Mark } from "@/components/ui/mark";
import type { PickedState } from "@/lib/client/chat/composer/use-picked";
import type { AgentInfo } from "@/lib/schema/agents/agent-info";
import type { ProviderList } from "@/lib/schema/provider";
import { ChoicePickers } from "./choice-pickers";
import { ModelName } from "./model-name";

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

/** The pickers for the choices that the agent allows per message; only its model's name if there are none. */
export function AgentChoices(props: { agent: AgentInfo; picked: PickedState }) {
  const { model, choices } = props.agent;
  if (choices.models.length === 0 && choices.efforts.length === 0) return <ModelName model={model} isFixed />;
  return <ChoicePickers {...props} />;
}

export function modelChoices({ providers }: ProviderList): string[] {
  return providers.flatMap(({ id, offered }) => offered.map((model) => `${id}:${model}`));
}

/** Whether the agent allows another model for a message. */
export function offersModels(agent: AgentInfo | undefined): boolean {
  return agent?.choices.models.some((model) => model !== agent.model) ?? false;
}

/** Whether a provider besides the demo model is configured. */
export function hasRealModels(list: ProviderList | undefined): boolean {
  return list?.providers.some(({ id }) => id !== "demo") ?? false;
}

/** Whether the agent can be given files. */
export function hasWorkspace(agent: AgentInfo | undefined): boolean {
  return agent !== undefined && agent.backend !== null;
}
