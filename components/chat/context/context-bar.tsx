import { type ContextGroupName, contextGroups, type RuleStep } from "@/lib/client/chat/context/context-summary";
import { classNames } from "@/lib/client/ui/class-names";
import type { ThreadContext } from "@/lib/schema/threads/thread-context";

/** The colour of each part of the context. */
export const GROUP_LOOKS: Readonly<Record<ContextGroupName, string>> = {
  system: "bg-kind-run",
  skills: "bg-kind-hook",
  memory: "bg-kind-memory",
  tools: "bg-kind-tool/45",
  messages: "bg-kind-model",
  tool_results: "bg-kind-tool",
};

interface ContextBarProps {
  context: Pick<ThreadContext, "sections" | "window" | "used">;
  steps: readonly Pick<RuleStep, "name" | "share">[];
}

/** How the parts of a request fill the window, with a tick where each rule acts. For the eye: words stand beside it. */
export function ContextBar({ context: { sections, window, used }, steps }: ContextBarProps) {
  const whole = Math.max(window, used);
  return (
    <div aria-hidden="true" className="relative h-2.5 rounded-xs bg-default">
      <div className="flex h-full overflow-hidden rounded-xs">
        {contextGroups(sections).map(({ name, tokens }) => (
          <span
            key={name}
            data-part={name}
            className={classNames("shrink-0 border-r border-surface last:border-r-0", GROUP_LOOKS[name])}
            style={{ width: `${(tokens / whole) * 100}%` }}
          />
        ))}
      </div>
      {steps.map(({ name, share }) => (
        <span
          key={name}
          className="absolute -inset-y-0.5 border-l border-foreground"
          style={{ left: `${Math.min(1, (share * window) / whole) * 100}%` }}
        />
      ))}
    </div>
  );
}
