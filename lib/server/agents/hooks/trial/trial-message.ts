import type { ExtensionSource } from "@/lib/agent/hooks/hook";
import type { Tool } from "@/lib/agent/tools/tool";
import type { TrialFacts } from "./run-trial";

/** So often the thread says that it is not computing without a pause. */
export const BEAT_MS = 100;

/** What a tool is besides what it does. */
type ToolData = Omit<Tool, "parse" | "execute" | "gist">;

/** What the thread is given. Plain data. */
export interface TrialWork {
  readonly directory: string;
  readonly source: ExtensionSource;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly facts: TrialFacts;
  readonly tools: readonly ToolData[];
}

/** What the thread says: the first beat is when the hook has been loaded and begins. `report` is JSON. */
export type TrialMessage =
  | { readonly kind: "beat" }
  | { readonly kind: "report"; readonly report: string }
  | { readonly kind: "refused"; readonly message: string };
