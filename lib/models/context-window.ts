import { UNKNOWN_WINDOW } from "@/lib/schema/agents/agent-config";
import { modelFacts } from "./catalogue";

interface AskedModels {
  /** The agent's `context_window`; null for the model's own. */
  readonly configured: number | null;
  /** `provider:model` that is asked first, and whether that is the agent's own one. */
  readonly first: string;
  readonly isOwn: boolean;
  /** Those that are asked when it fails. */
  readonly fallbacks: readonly string[];
  /** The window of a model, in tokens, where it is known. Default: that of the catalogue. */
  readonly windowOf?: (model: string) => number | undefined;
}

/**
 * The window that holds for every model that a run may ask, in tokens: the smallest of theirs, so that none gets more
 * than it takes when another one fails. What the agent says counts for its own model, and as a limit for the others.
 */
export function smallestWindow({
  configured,
  first,
  isOwn,
  fallbacks,
  windowOf = catalogueWindow,
}: AskedModels): number {
  const known = (model: string) => windowOf(model) ?? configured ?? UNKNOWN_WINDOW;
  const others = isOwn ? fallbacks : [first, ...fallbacks];
  const own = configured ?? (isOwn ? known(first) : Number.POSITIVE_INFINITY);
  return Math.min(own, ...others.map(known));
}

function catalogueWindow(model: string): number | undefined {
  return modelFacts(model)?.window;
}
