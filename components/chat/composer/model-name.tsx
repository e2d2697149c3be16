import { modelLabel } from "@/lib/client/agents/model-names";

/** The model if there is no choice, or none yet. */
export function ModelName({ model }: { model: string }) {
  return <span className="min-w-0 truncate px-2 text-sm text-muted">{modelLabel(model)}</span>;
}
