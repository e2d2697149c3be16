"use client";
import { useQuery } from "@tanstack/react-query";
import { ChevronRight, ScanEye } from "lucide-react";
import Link from "next/link";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/controls/button";
import { SkeletonList } from "@/components/ui/states/skeleton";
import { StateRing } from "@/components/ui/states/state-ring";
import { Time } from "@/components/ui/time";
import { percentWords, RULE_TITLES } from "@/lib/client/agents/context/rule-titles";
import { sectionTitle } from "@/lib/client/agents/section-title";
import {
  type ContextGroup,
  contextGroups,
  fillWords,
  labelledPlaces,
  type RuleStep,
  ruleSteps,
} from "@/lib/client/chat/context/context-facts";
import { type ContextMoment, contextQuery } from "@/lib/client/chat/context/context-queries";
import { errorMessage } from "@/lib/client/http/api";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { classNames } from "@/lib/client/ui/class-names";
import { formatCount } from "@/lib/client/ui/text/format";
import type { ThreadContext } from "@/lib/schema/threads/thread-context";
import { ContextBar, GROUP_LOOKS } from "./context-bar";

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
}

/** The window's fill, its parts, the next rule to act and the latest summary. */
export function ContextSection(props: ContextSectionProps) {
  const { moment, isRunning, isAsked, onShown } = props;
  const query = useQuery(contextQuery(moment));
  const section = useRef<HTMLElement>(null);
  const isReady = !query.isPending;
  useEffect(() => {
    if (!isAsked || !isReady || !section.current?.checkVisibility()) return;
    section.current.scrollIntoView({ block: "start" });
    section.current.focus();
    onShown();
  }, [isAsked, isReady, onShown]);
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-label="Context"
      className="border-b border-border px-4 py-3 -outline-offset-2"
    >
      <header className="mb-2 flex h-5 items-center justify-between gap-2">
        <h2 className="text-sm font-medium">Context</h2>
        <span className="tnum text-xs text-muted">{query.data ? headWords(query.data) : null}</span>
      </header>
      {query.data ? (
        <>
          <Filled {...props} context={query.data} />
          {isRunning ? (
            <p className="mt-2 flex items-center justify-between gap-2 text-xs text-muted">
              As it was before this run.
              <Button variant="ghost" isPending={query.isFetching} onPress={() => void query.refetch()}>
                Update
              </Button>
            </p>
          ) : null}
        </>
      ) : query.isError ? (
        <div className="text-xs text-muted">
          <p className="mb-2">{errorMessage(query.error)}</p>
          <Button onPress={() => void query.refetch()}>Try again</Button>
        </div>
      ) : (
        <SkeletonList label="Loading the context" rows={3} rowHeight={28} className="-mx-2 divide-y-0" />
      )}
    </section>
  );
}

function headWords({ used, window, windowFrom }: ThreadContext): string {
  return windowFrom === "assumed" ? `~${formatCount(used)} tokens` : `~${formatCount(used)} of ${formatCount(window)}`;
}

function Filled({ context, moment, queued, onCompact }: ContextSectionProps & { context: ThreadContext }) {
  const [isOpen, setOpen] = useState(false);
  const { window, windowFrom, used, sections, summary, compactions, showsPrompt } = context;
  const groups = contextGroups(sections);
  const steps = ruleSteps(context);
  const { exact, warning } = fillWords(context);
  return (
    <>
      <meter
        aria-label="Context"
        min={0}
        max={window}
        value={Math.min(used, window)}
        aria-valuetext={warning === null ? exact : `${exact}, ${warning}`}
        className="sr-only"
      />
      <ContextBar context={context} steps={steps} />
      <TickLabels steps={steps} context={context} />
      {warning === null ? null : (
        <p className={classNames("mt-1.5 text-xs", warning === "nearly full" ? "text-limit-text" : "text-fail-text")}>
          {warning === "nearly full" ? "The window is nearly full." : "This is more than the window can hold."}
        </p>
      )}
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
            words={groupWords(group, context)}
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

const NO_RESULTS: ThreadContext["results"] = [];

interface GroupRowProps {
  group: ContextGroup;
  share: number | null;
  /** Results of single calls, the largest first. */
  results: ThreadContext["results"];
  /** The number of items it contains, in words. */
  words: string;
}

/** One part; the system prompt and other parts with several sections expand into them. */
function GroupRow({ group, share, results, words }: GroupRowProps) {
  const [isOpen, setOpen] = useState(false);
  const { name, title, tokens, parts } = group;
  const isParted = parts.length > 1 || results.length > 0;
  const inner = (
    <>
      <ChevronRight
        aria-hidden
        className={classNames("size-3.5 shrink-0 text-subtle", isOpen && "rotate-90", !isParted && "invisible")}
      />
      <span aria-hidden="true" className={classNames("size-2 shrink-0 rounded-xs", GROUP_LOOKS[name])} />
      <span className="min-w-0 truncate">{title}</span>
      {words === "" ? null : <span className="truncate text-xs text-muted">{words}</span>}
      <span className="flex-1" />
      <span className="tnum">{formatCount(tokens)}</span>
      {share === null ? null : <span className="tnum w-9 text-right text-xs text-muted">{percentWords(share)}</span>}
    </>
  );
  const look = "flex h-7 w-full items-center gap-1.5 rounded-md px-1 text-left text-sm";
  return (
    <li>
      {isParted ? (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className={`${look} touch-row hover:bg-default`}
        >
          {inner}
        </button>
      ) : (
        <span className={look}>{inner}</span>
      )}
      {isOpen && results.length > 0 ? <Results results={results} /> : null}
      {isOpen && results.length === 0 ? (
        <ul className="mb-1 ml-10 text-xs">
          {parts.map((part) => (
            <li key={part.name} className="flex justify-between gap-2 py-0.5 pr-1">
              <span className="min-w-0 truncate text-muted">{sectionTitle(part.name)}</span>
              <span className="tnum">{formatCount(part.tokens)}</span>
            </li>
          ))}
        </ul>
      ) : null}
    </li>
  );
}

/** "7 sections", "19 tools", "3 of 14 named", "summary and 5", "13 results, 2 cut". */
function groupWords({ name, parts }: ContextGroup, { counts, results }: ThreadContext): string {
  if (name === "tools") return countWords(counts.tools, "tool");
  if (name === "skills" && counts.skills !== null) return `${counts.skills.named} of ${counts.skills.all} named`;
  if (name === "memory" && counts.documents !== null) return countWords(counts.documents, "document");
  if (name === "messages") return messageWords(parts, counts.messages);
  if (name === "tool_results") return resultWords(results.length, counts.cutResults);
  return parts.length > 1 ? `${parts.length} sections` : "";
}

function messageWords(parts: ContextGroup["parts"], count: number): string {
  const hasSummary = parts.some((part) => part.name !== "messages");
  return hasSummary ? `summary and ${formatCount(count)}` : countWords(count, "message");
}

function resultWords(count: number, cutCount: number): string {
  const cut = cutCount > 0 ? `, ${formatCount(cutCount)} cut` : "";
  return count === 0 ? "" : `${countWords(count, "result")}${cut}`;
}

function countWords(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
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

const FIRST_RESULTS = 5;

function Results({ results }: Pick<GroupRowProps, "results">) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? results : results.slice(0, FIRST_RESULTS);
  return (
    <>
      <ul aria-label="Results by size" className="ml-10 text-xs">
        {shown.map(({ tool, gist, tokens, cutFrom }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two calls may be alike.
          <li key={index} className="flex justify-between gap-2 py-0.5 pr-1">
            <span className="min-w-0 truncate font-mono" title={gist}>
              {tool} <span className="text-muted">{gist}</span>
            </span>
            <span className={classNames("tnum shrink-0", cutFrom !== null && "text-muted")}>
              {cutFrom === null ? formatCount(tokens) : `cut to ${formatCount(tokens)} of ${formatCount(cutFrom)}`}
            </span>
          </li>
        ))}
      </ul>
      {isWhole || results.length <= FIRST_RESULTS ? null : (
        <button
          type="button"
          onClick={() => setWhole(true)}
          className="mb-1 ml-10 text-xs text-link hover:underline touch-target"
        >
          {results.length - FIRST_RESULTS} more
        </button>
      )}
    </>
  );
}

const STATE_WORDS: Readonly<Record<RuleStep["state"], string>> = { now: "Now", next: "Next", later: "Later" };

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function Rules({ steps, window }: { steps: readonly RuleStep[]; window: number | null }) {
  if (steps.length === 0) {
    return (
      <p className="text-xs text-muted">
        No rule is active. A conversation that outgrows the window fails at the provider.
      </p>
    );
  }
  return (
    <ol className="-mx-2">
      {steps.map(({ name, ratio, state, way, words }) => (
        <li
          key={name}
          className={classNames("flex gap-2 rounded-md px-2 py-1 text-xs", state === "next" && "bg-default")}
        >
          <span className="flex h-5 w-3.5 shrink-0 items-center">
            <RuleMark state={state} way={way} />
            <span className="sr-only">{STATE_WORDS[state]}: </span>
          </span>
          <span className="min-w-0">
            <span className={classNames("tnum block text-sm", state === "next" && "font-medium")}>
              {window === null || ratio === 0
                ? RULE_TITLES[name]
                : `At ${percentWords(ratio)} ${lowerFirst(RULE_TITLES[name])}`}
            </span>
            <span className="tnum text-muted">{words}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}

const RADIUS = 5.4;
const AROUND = 2 * Math.PI * RADIUS;

/** A tick for a rule in effect, a filling ring for the next one, a dotted ring for later ones. */
function RuleMark({ state, way }: Pick<RuleStep, "state" | "way">) {
  if (state !== "next") return <StateRing status={state === "now" ? "completed" : "queued"} size={14} />;
  return (
    <svg width="14" height="14" viewBox="0 0 14 14" fill="none" stroke="currentColor" strokeWidth="2" aria-hidden>
      <circle cx="7" cy="7" r={RADIUS} opacity=".25" />
      <circle cx="7" cy="7" r={RADIUS} strokeDasharray={`${way * AROUND} ${AROUND}`} transform="rotate(-90 7 7)" />
    </svg>
  );
}

interface SummaryProps {
  threadId: string;
  summary: NonNullable<ThreadContext["summary"]>;
  compactions: number;
}

function Summary({ threadId, summary, compactions }: SummaryProps) {
  const { text, replaced, tokens, at, lastMessageId } = summary;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <h3 className="mt-3 flex items-baseline justify-between text-sm font-medium">
        Summarised so far
        <span className="text-xs font-normal text-muted">{compactions === 1 ? "once" : `${compactions} times`}</span>
      </h3>
      <p className="mt-1 flex justify-between gap-2 text-sm">
        <span className="min-w-0">
          {countWords(replaced, "message")} became <span className="tnum">{formatCount(tokens)}</span> tokens
        </span>
        <Time at={at} className="tnum shrink-0 text-xs leading-5 text-muted" />
      </p>
      <p className="mt-1 text-xs text-muted">The thread keeps what the model no longer reads.</p>
      <p className={classNames("mt-1 text-xs break-words whitespace-pre-wrap text-muted", !isOpen && "line-clamp-2")}>
        {text}
      </p>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="mt-1 text-xs text-link hover:underline touch-target"
      >
        {isOpen ? "Collapse the summary" : "Read the summary"}
      </button>
      {lastMessageId === null ? null : (
        <Link
          href={`/threads/${encodeURIComponent(threadId)}?at=${encodeURIComponent(lastMessageId)}`}
          className="ml-3 text-xs text-link hover:underline touch-target"
        >
          What it replaced
        </Link>
      )}
    </>
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
