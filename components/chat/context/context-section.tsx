"use client";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { ChevronRight, ScanEye } from "lucide-react";
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/controls/button";
import { SkeletonList } from "@/components/ui/states/skeleton";
import { percentText } from "@/lib/client/agents/context/rule-titles";
import { type ContextMoment, contextQuery } from "@/lib/client/chat/context/context-queries";
import {
  contextGroups,
  fillLabel,
  labelledPlaces,
  type RuleStep,
  ruleSteps,
} from "@/lib/client/chat/context/context-summary";
import { errorMessage } from "@/lib/client/http/api";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { classNames } from "@/lib/client/ui/class-names";
import { formatCount, formatTokens } from "@/lib/client/ui/text/format";
import { useKeptNumber } from "@/lib/client/ui/use-kept-state";
import type { ThreadContext } from "@/lib/schema/threads/thread-context";
import { ContextBar } from "./context-bar";
import { GroupRow, groupText, NO_RESULTS } from "./context-rows";
import { Rules } from "./context-rules";
import { Summary } from "./context-summary";
import { FillRing } from "./fill-ring";

const PromptDialog = lazy(async () => ({
  default: (await loadWithRetry(() => import("./prompt-dialog"))).PromptDialog,
}));

export interface ContextSectionProps {
  moment: ContextMoment;
  isRunning: boolean;
  /** Messages that wait and are not in it. */
  queued: number;
  /** Null for people with read access only. */
  onCompact: (() => Promise<void>) | null;
  /** True once the section was requested: it then takes the focus, and announces itself. */
  isAsked: boolean;
  onShown: () => void;
  /** What the thread has cost, in words. */
  cost: string;
  /** More about the cost, once the line is open: versions, budgets, tokens. */
  children?: ReactNode;
}

/** From here on the rules that will act are worth a look without asking for them. */
const RULES_FROM = 0.3;

/** One line, how full the window is and what the thread has cost; opened, everything behind these two numbers. */
export function ContextSection(props: ContextSectionProps) {
  const { moment, cost, isAsked, onShown, children } = props;
  const query = useQuery(contextQuery(moment));
  const section = useRef<HTMLElement>(null);
  const [kept, keep] = useKeptNumber("context-open", 0);
  const isOpen = kept === 1;
  const isReady = !query.isPending;
  useEffect(() => {
    if (!isAsked || !isReady || !section.current?.checkVisibility()) return;
    keep(1);
    section.current.scrollIntoView({ block: "start" });
    section.current.focus();
    onShown();
  }, [isAsked, isReady, onShown, keep]);
  const context = query.data;
  const share = context === undefined || context.windowFrom === "assumed" ? null : context.used / context.window;
  return (
    <section ref={section} tabIndex={-1} aria-label="Context" className="border-b border-border -outline-offset-2">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => keep(isOpen ? 0 : 1)}
        className="flex h-11 w-full items-center gap-2 px-4 text-left text-sm -outline-offset-2 hover:bg-default"
      >
        <ChevronRight
          aria-hidden
          className={classNames("size-4 shrink-0 text-muted transition-transform", isOpen && "rotate-90")}
        />
        {share === null ? null : <FillRing share={share} />}
        <span className="tnum min-w-0 truncate">
          {context === undefined ? "Context" : `${headText(context)} · ${cost}`}
        </span>
      </button>
      {context === undefined ? null : <Meter context={context} />}
      {isOpen ? (
        <>
          <div className="px-4 pb-3">
            <Opened {...props} query={query} />
          </div>
          <div className="border-t border-border">{children}</div>
        </>
      ) : context !== undefined && share !== null && share >= RULES_FROM ? (
        <div className="px-4 pb-3">
          <Warning context={context} />
          <Rules steps={ruleSteps(context)} window={context.window} />
        </div>
      ) : null}
    </section>
  );
}

function Opened({ query, ...props }: ContextSectionProps & { query: UseQueryResult<ThreadContext> }) {
  if (query.data) {
    return (
      <>
        <Filled {...props} context={query.data} />
        {props.isRunning ? (
          <p className="mt-2 flex items-center justify-between gap-2 text-xs text-muted">
            As it was before this run.
            <Button variant="ghost" isPending={query.isFetching} onPress={() => void query.refetch()}>
              Update
            </Button>
          </p>
        ) : null}
      </>
    );
  }
  if (query.isError) {
    return (
      <div className="text-xs text-muted">
        <p className="mb-2">{errorMessage(query.error)}</p>
        <Button onPress={() => void query.refetch()}>Try again</Button>
      </div>
    );
  }
  return <SkeletonList label="Loading the context" rows={3} rowHeight={28} className="-mx-2 divide-y-0" />;
}

/** "2% of 128k"; without a known window the tokens alone. */
function headText({ used, window, windowFrom }: ThreadContext): string {
  if (windowFrom === "assumed") return `~${formatTokens(used)} tokens`;
  return `${percentText(used / window)} of ${formatTokens(window)}`;
}

function Meter({ context }: { context: ThreadContext }) {
  const { exact, warning } = fillLabel(context);
  return (
    <meter
      aria-label="Context"
      min={0}
      max={context.window}
      value={Math.min(context.used, context.window)}
      aria-valuetext={warning === null ? exact : `${exact}, ${warning}`}
      className="sr-only"
    />
  );
}

function Warning({ context }: { context: ThreadContext }) {
  const { warning } = fillLabel(context);
  if (warning === null) return null;
  return (
    <p className={classNames("mt-1.5 text-xs", warning === "nearly full" ? "text-limit-text" : "text-fail-text")}>
      {warning === "nearly full" ? "The window is nearly full." : "This is more than the window can hold."}
    </p>
  );
}

function Filled({ context, moment, queued, onCompact }: ContextSectionProps & { context: ThreadContext }) {
  const [isOpen, setOpen] = useState(false);
  const { window, windowFrom, sections, summary, compactions, showsPrompt } = context;
  const groups = contextGroups(sections);
  const steps = ruleSteps(context);
  return (
    <>
      <ContextBar context={context} steps={steps} />
      <TickLabels steps={steps} context={context} />
      <Warning context={context} />
      {windowFrom === "assumed" ? (
        <p className="mt-1.5 text-xs text-muted">
          The window of this model is unknown. The rules below assume {formatCount(window)} tokens.
        </p>
      ) : null}
      <ul aria-label="What the model gets" className="mt-2 -ml-1.5">
        {groups.map((group) => (
          <GroupRow
            key={group.name}
            group={group}
            results={group.name === "tool_results" ? context.results : NO_RESULTS}
            words={groupText(group, context)}
            share={windowFrom === "assumed" ? null : group.tokens / window}
          />
        ))}
      </ul>
      <h3 className="mt-3 mb-1 text-sm font-medium">What happens next</h3>
      <Rules steps={steps} window={windowFrom === "assumed" ? null : window} />
      {summary === null ? null : <Summary threadId={moment.threadId} summary={summary} compactions={compactions} />}
      <div className="mt-3 flex flex-wrap gap-2">
        {showsPrompt ? (
          <Button onPress={() => setOpen(true)}>
            <ScanEye aria-hidden /> What the model sees now
          </Button>
        ) : null}
        {onCompact === null ? null : <CompactButton onCompact={onCompact} />}
      </div>
      {isOpen ? (
        <Suspense>
          <PromptDialog
            threadId={moment.threadId}
            model={moment.model}
            queued={queued}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      ) : null}
    </>
  );
}

/** Where each rule acts, with its share of the window; labels that would overlap another are omitted. */
function TickLabels({ steps, context }: { steps: readonly RuleStep[]; context: ThreadContext }) {
  const { window, used, windowFrom } = context;
  if (windowFrom === "assumed" || steps.length === 0) return null;
  const places = steps
    .map(({ name, share, ratio }) => ({ name, ratio, left: Math.min(1, (share * window) / Math.max(window, used)) }))
    .toSorted((one, other) => one.left - other.left);
  const shown = labelledPlaces(places, steps.find(({ state }) => state === "next")?.name);
  return (
    <div aria-hidden="true" className="tnum relative mt-1 h-4 text-2xs text-muted">
      {shown.map(({ name, ratio, left }, index) => (
        <span
          key={name}
          className="absolute -translate-x-1/2"
          style={{ left: `clamp(8px, ${left * 100}%, calc(100% - 12px))` }}
        >
          {Math.round(ratio * 100)}
          {index === shown.length - 1 ? "%" : ""}
        </span>
      ))}
    </div>
  );
}

function CompactButton({ onCompact }: { onCompact: () => Promise<void> }) {
  const [isPending, setPending] = useState(false);
  const compact = async () => {
    setPending(true);
    await onCompact().finally(() => setPending(false));
  };
  return (
    <Button variant="ghost" isPending={isPending} onPress={() => void compact()}>
      Summarise now
    </Button>
  );
}
