import { ArrowUpRight } from "lucide-react";
import type { AgentInfo } from "@/lib/schema/agent-info";

/** All of them work with the demo model too. */
const EXAMPLES = [
  "Plan a birthday party for ten people",
  "Create hello.py with a program that greets the world",
  "List files",
  "Calculate (12 + 30) * 1.5",
] as const;

export interface ExamplePromptsProps {
  agent: AgentInfo;
  isDemo: boolean;
  onPick: (text: string) => void;
}

/** The empty transcript: who answers, and what one could ask. */
export function ExamplePrompts({ agent, isDemo, onPick }: ExamplePromptsProps) {
  return (
    <div className="mx-auto flex min-h-full w-full max-w-[776px] flex-col justify-end px-6 pt-10 pb-4 max-sm:px-3">
      <h2 className="text-xl font-semibold">What is to be done?</h2>
      <p className="mt-1 mb-4 text-base text-pretty text-muted">
        {agent.name}
        {agent.description ? `: ${agent.description}` : ""}
        {isDemo ? " Here it answers with the demo model." : ""}
      </p>
      <ul className="grid gap-2 sm:grid-cols-2">
        {EXAMPLES.map((text) => (
          <li key={text}>
            <button
              type="button"
              onClick={() => onPick(text)}
              className="flex h-full w-full items-start gap-2 rounded-lg border border-border px-3 py-2.5 text-left text-sm touch-row hover:bg-surface-secondary"
            >
              <span className="min-w-0 flex-1">{text}</span>
              <ArrowUpRight className="mt-0.5 size-3.5 shrink-0 text-subtle" aria-hidden />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
