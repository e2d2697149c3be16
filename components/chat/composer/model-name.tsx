import { modelLabel } from "@/lib/client/agents/model-names";

/** The model if there is no choice, or none yet. `isFixed`: the agent leaves no choice. */
export function ModelName({ model, isFixed = false }: { model: string; isFixed?: boolean }) {
  return (
    <span
      title={isFixed ? "This agent always answers with this model" : undefined}
      className="min-w-0 truncate px-2 text-sm text-muted"
    >
      {modelLabel(model)}
    </span>
  );
}
