"use client";
import dynamic from "next/dynamic";
import { type RefObject, useState } from "react";
import { SearchField } from "@/components/ui/controls/search-field";
import { Kbd } from "@/components/ui/kbd";
import { KindSquare, type SpanKind, WaitSquare } from "@/components/ui/waterfall-row";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { useShortcuts } from "@/lib/client/ui/input/use-shortcuts";
import { LayoutSwitch, type LayoutSwitchProps } from "./layout-switch";

const KINDS: readonly (readonly [SpanKind, string])[] = [
  ["model", "Model"],
  ["tool", "Tool"],
  ["hook", "Hook"],
  ["memory", "Summary"],
];

export interface TraceToolsProps extends LayoutSwitchProps {
  search: string;
  onSearch: (search: string) => void;
  searchRef: RefObject<HTMLInputElement | null>;
  spanCount: number;
  errorCount: number;
  onNextError: () => void;
  waitCount: number;
  onNextWait: () => void;
  traceId: string;
  onOpenSpan: (spanId: string) => void;
}

const TraceDigest = dynamic(async () => (await loadWithRetry(() => import("./explain/trace-digest"))).TraceDigest, {
  loading: () => null,
});

/** The layouts, the search and the ways to what stands out, and below them the run in words. */
export function TraceTools(props: TraceToolsProps) {
  const [isExplained, setExplained] = useState(false);
  const explain = () => setExplained((isShown) => !isShown);
  useShortcuts({ x: explain });
  return (
    <>
      <ToolRow {...props} isExplained={isExplained} onExplain={explain} />
      {isExplained ? <TraceDigest traceId={props.traceId} onOpen={props.onOpenSpan} /> : null}
    </>
  );
}

interface ToolRowProps extends TraceToolsProps {
  isExplained: boolean;
  onExplain: () => void;
}

function ToolRow(props: ToolRowProps) {
  return (
    <div className="flex h-10 shrink-0 items-center gap-3 border-b border-border px-3 text-xs max-sm:h-auto max-sm:flex-wrap max-sm:py-1.5">
      <LayoutSwitch layout={props.layout} onLayout={props.onLayout} />
      <SearchField
        label="Search spans"
        placeholder={`Search ${props.spanCount.toLocaleString("en")} spans`}
        value={props.search}
        onChange={props.onSearch}
        inputRef={props.searchRef}
        shortcut="/"
        className="h-7 w-52 max-sm:w-auto max-sm:min-w-44 max-sm:flex-1"
      />
      {props.errorCount > 0 ? (
        <button
          type="button"
          onClick={props.onNextError}
          className="flex h-6 shrink-0 items-center gap-1.5 rounded-md px-1.5 text-fail-text touch-row hover:bg-default"
        >
          {props.errorCount === 1 ? "1 error" : `${props.errorCount} errors`} <Kbd>e</Kbd>
        </button>
      ) : null}
      {props.waitCount > 0 ? (
        <button
          type="button"
          onClick={props.onNextWait}
          className="flex h-6 shrink-0 items-center gap-1.5 rounded-md px-1.5 text-signal-text touch-row hover:bg-default"
        >
          {props.waitCount === 1 ? "1 wait" : `${props.waitCount} waits`} <Kbd>w</Kbd>
        </button>
      ) : null}
      <button
        type="button"
        aria-expanded={props.isExplained}
        onClick={props.onExplain}
        className="flex h-6 shrink-0 items-center gap-1.5 rounded-md px-1.5 touch-row hover:bg-default aria-expanded:bg-surface-tertiary"
      >
        Explain <Kbd>x</Kbd>
      </button>
      <span className="flex-1 max-sm:hidden" />
      <ul className="flex h-4 flex-wrap items-center gap-x-3 overflow-hidden whitespace-nowrap text-muted max-xl:hidden">
        {KINDS.map(([kind, word]) => (
          <li key={kind} className="flex items-center gap-1">
            <KindSquare kind={kind} />
            {word}
          </li>
        ))}
        {props.waitCount > 0 ? (
          <li className="flex items-center gap-1">
            <WaitSquare />
            Person
          </li>
        ) : null}
        <li className="flex items-center gap-1.5">
          <span aria-hidden="true" className="h-px w-3 bg-foreground" />
          Critical path
        </li>
      </ul>
    </div>
  );
}
