import { ArrowUpRight, History } from "lucide-react";
import Link from "next/link";
import type { AgentInfo } from "@/lib/schema/agents/agent-info";

interface Example {
  readonly text: string;
  /** The feature it demonstrates. */
  readonly shows: string;
  /** The tools it needs; it is not offered for an agent without them. */
  readonly needs: readonly string[];
}

/** All of them also work with the demo model. */
const EXAMPLES: readonly Example[] = [
  {
    text: "Plan and create a small website about otters",
    shows: "A plan, then files",
    needs: ["write_todos", "write_file"],
  },
  { text: "Run ls -la", shows: "A command in the sandbox", needs: ["execute"] },
  { text: "Ask me which colour: red or blue", shows: "A question back to you", needs: ["ask_user"] },
  { text: "Research otters", shows: "A subagent at work", needs: ["task"] },
  { text: "Create hello.py with a program that greets the world", shows: "One file", needs: ["write_file"] },
  { text: "List files", shows: "What is in the workspace", needs: ["ls"] },
  { text: "Calculate (12 + 30) * 1.5", shows: "Exact arithmetic", needs: ["calculate"] },
  { text: "Plan a birthday party for ten people", shows: "A plan", needs: ["write_todos"] },
];
const MOST_SHOWN = 4;
const MOST_RECENT = 2;

export interface ExamplePromptsProps {
  /** The demo model answers: only what it can do is offered. */
  isDemo: boolean;
  /** The person's own threads with any agent, newest first. */
  recent: readonly { readonly id: string; readonly title: string }[];
  /** Undefined while loading: its space is reserved. */
  agent: AgentInfo | undefined;
  onPick: (text: string) => void;
}

/** The empty transcript: who answers, and what to ask this agent. */
export function ExamplePrompts({ isDemo, recent, agent, onPick }: ExamplePromptsProps) {
  const shown = agent === undefined || isDemo ? [] : recent.slice(0, MOST_RECENT);
  return (
    <div className="mx-auto flex min-h-full w-full max-w-[776px] flex-col justify-end px-6 pt-10 pb-4 max-sm:px-3">
      <h2 className="text-xl font-semibold">What can I help with?</h2>
      {/* One line and two rows for any agent: nothing above the composer moves when it loads or changes. */}
      <p className="mt-1 mb-4 min-h-6 truncate text-base text-muted" title={agent?.description}>
        {agent?.name}
        {agent?.description ? `: ${agent.description}` : ""}
      </p>
      <ul
        className="grid min-h-[114px] content-start gap-2 max-sm:min-h-[236px] sm:grid-cols-2"
        aria-busy={agent === undefined}
      >
        {startersOf(agent, isDemo)
          .slice(0, MOST_SHOWN - shown.length)
          .map(({ text, shows }) => (
            <li key={text}>
              <button type="button" onClick={() => onPick(text)} className={CARD}>
                <CardText text={text} hint={shows} />
                <ArrowUpRight className="mt-0.5 size-3.5 shrink-0 text-subtle" aria-hidden />
              </button>
            </li>
          ))}
        {shown.map(({ id, title }) => (
          <li key={id}>
            <Link href={`/threads/${id}`} className={CARD}>
              <CardText text={title} hint="Continue this thread" />
              <History className="mt-0.5 size-3.5 shrink-0 text-subtle" aria-hidden />
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

const CARD =
  "flex h-full w-full items-start gap-2 rounded-lg border border-border px-3 py-2 text-left text-sm touch-row hover:bg-surface-secondary";

/** At most two lines, so that nothing below moves when other starters come. */
function CardText({ text, hint }: { text: string; hint: string | undefined }) {
  return (
    <span className="min-w-0 flex-1" title={text}>
      <span className={hint === undefined ? "line-clamp-2 break-words" : "line-clamp-1 break-all"}>{text}</span>
      {hint === undefined ? null : <span className="block text-xs text-muted">{hint}</span>}
    </span>
  );
}

/** The agent's own, or examples that its tools can do. */
function startersOf(
  agent: AgentInfo | undefined,
  isDemo: boolean,
): readonly { readonly text: string; readonly shows?: string }[] {
  if (agent === undefined) return [];
  if (agent.starters.length > 0 && !isDemo) return agent.starters.map((text) => ({ text }));
  return EXAMPLES.filter(({ needs }) => needs.every((tool) => agent.tools.includes(tool)));
}
