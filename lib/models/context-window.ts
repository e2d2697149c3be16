import { UNKNOWN_WINDOW } from "@/lib/schema/agents/agent-config";
import { modelTraits } from "./catalogue";

interface AskedModels {
  /** The agent's `context_window`; null for the model's own. */
  readonly configured: number | null;
  /** The `provider:model` called first, and whether it is the agent's own. */
  readonly first: string;
  readonly isOwn: boolean;
  /** The models called if the first one fails. */
  readonly fallbacks: readonly string[];
  /** The window of a model in tokens, if known. Default: from the catalogue. */
  readonly windowOf?: (model: string) => number | undefined;
}

/**
 * The context window in tokens that is safe for every model a run may call: the smallest of theirs, so that a fallback
 * never gets more than it accepts. The agent's own setting replaces its model's window and limits the others.
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
  return modelTraits(model)?.window;
}
