import type { AgentEditor } from "@/lib/client/agents/draft/use-agent-editor";
import type { RawConfig } from "@/lib/schema/agents/agent-api";

/** One side: a version's number, or `draft`. */
export type Side = string;

export function sideName(side: Side, editor: AgentEditor): string {
  if (side !== "draft") return `v${side}`;
  const { revision } = editor.state.stored;
  return revision === 0 ? "Draft" : `Draft r${revision}`;
}

export interface Sides {
  readonly from: Side;
  readonly to: Side;
}

/** A config with its text. */
export interface ComparedConfig {
  readonly config: RawConfig;
  readonly yaml: string;
}

export function SideBadge({ letter }: { letter: "A" | "B" | null }) {
  const look = letter === "B" ? "border-accent bg-accent text-accent-foreground" : "border-border-strong text-muted";
  return (
    <span
      className={`flex size-4 shrink-0 items-center justify-center rounded-xs border text-2xs leading-none font-medium ${letter === null ? "invisible" : look}`}
    >
      {letter}
    </span>
  );
}
