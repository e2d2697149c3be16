import type { ExtensionSource } from "@/lib/agent/hooks/hook";
import type { Tool } from "@/lib/agent/tools/tool";
import type { TrialContext } from "./run-trial";

/** How often the worker thread reports that it is not blocked. */
export const BEAT_MS = 100;

/** A tool's data, without its functions. */
type ToolData = Omit<Tool, "parse" | "execute" | "gist">;

/** The input of the worker thread, as plain data. */
export interface TrialWork {
  readonly directory: string;
  readonly source: ExtensionSource;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly facts: TrialContext;
  readonly tools: readonly ToolData[];
}

/** Messages from the worker thread: the first beat means that the hook has been loaded and starts. `report` is JSON. */
export type TrialMessage =
  | { readonly kind: "beat" }
  | { readonly kind: "report"; readonly report: string }
  | { readonly kind: "refused"; readonly message: string };
