"use client";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { usePageKeys } from "@/components/shell/shell-context";
import { Diff } from "@/components/ui/code/diff";
import { Switch } from "@/components/ui/controls/switch";
import { Kbd } from "@/components/ui/kbd";
import { EmptyState } from "@/components/ui/states/state-block";
import { diffRows } from "@/lib/client/files/diff-rows";
import { type CompareBlock, compareBlocks } from "@/lib/client/trace/compare/compare-blocks";
import { differences, stepPlace, stepSign, stepText } from "@/lib/client/trace/compare/compare-labels";
import { classNames } from "@/lib/client/ui/class-names";
import { useShortcuts } from "@/lib/client/ui/input/use-shortcuts";
import { hasEnded } from "@/lib/schema/runs/run";
import type { ComparedRuns, ComparedStep, ComparedTexts } from "@/lib/schema/traces/compare-runs";
import { CompareRow } from "./compare-row";
import { CompareStep } from "./compare-step";
import { CompareHeads, CompareSummary } from "./compare-summary";
import { SideText } from "./side-text";

const PAGE_KEYS = [
  { keys: "n p", does: "Next and previous difference" },
  { keys: "=", does: "Show what is the same, too" },
  { keys: "s", does: "Swap the runs" },
] as const;

/** Two runs side by side, opened where they part. */
export function CompareView({ compared }: { compared: ComparedRuns }) {
  const { a, b, firstDifference } = compared;
  const [isWhole, setWhole] = useState(false);
  const blocks = useMemo(() => compareBlocks(compared, isWhole), [compared, isWhole]);
  const places = useMemo(() => differences(compared), [compared]);
  const [current, setCurrent] = useState<string | null>(firstDifference ? stepPlace(firstDifference.step) : null);
  const go = (by: 1 | -1) => {
    const here = current === null ? -1 : places.indexOf(current);
    const next = places[Math.min(Math.max(here + by, 0), places.length - 1)];
    if (next !== undefined) setCurrent(next);
  };
  usePageKeys(PAGE_KEYS);
  useShortcuts({ n: () => go(1), p: () => go(-1), "=": () => setWhole(!isWhole) });
  const running = [!hasEnded(a.status) ? "A" : null, !hasEnded(b.status) ? "B" : null].flatMap((run) => run ?? []);
  return (
    <>
      <CompareSummary a={a} b={b} />
      {running.length === 0 ? null : (
        <p role="status" className="shrink-0 border-b border-border px-4 py-1.5 text-xs text-live-text">
          {running.join(" and ")} {running.length === 1 ? "is" : "are"} running; compared up to now.
        </p>
      )}
      <div className="flex min-h-0 flex-1">
        <Outline compared={compared} places={places} current={current} onGo={setCurrent} />
        <div className="flex min-h-0 min-w-0 flex-1 flex-col">
          <CompareHeads a={a} b={b} />
          <div className="flex shrink-0 items-center justify-end gap-2 border-b border-border px-4 py-1 text-xs text-muted">
            <span aria-hidden="true">Only what differs</span>
            <Switch label="Only what differs" isOn={!isWhole} onChange={(isOn) => setWhole(!isOn)} />
          </div>
          <Blocks blocks={blocks} compared={compared} current={current} hasDifference={places.length > 0} />
        </div>
      </div>
    </>
  );
}

interface OutlineProps {
  compared: ComparedRuns;
  places: readonly string[];
  current: string | null;
  onGo: (place: string) => void;
}

/** Every step with what differs in it. */
function Outline({ compared, places, current, onGo }: OutlineProps) {
  const { config, message, steps, end } = compared;
  return (
    <nav
      aria-label="Differences"
      className="w-53 shrink-0 overflow-y-auto border-r border-border bg-background p-2 text-xs max-lg:hidden"
    >
      <p className="flex items-center gap-2 px-2 pb-2 text-muted">
        <span className="tnum flex-1">{places.length === 1 ? "1 difference" : `${places.length} differences`}</span>
        <Kbd>n</Kbd>
        <Kbd>p</Kbd>
      </p>
      <ul>
        {config === null || config.same ? null : (
          <Entry sign="≠" name="Settings" words="" place="config" current={current} onGo={onGo} />
        )}
        {message.same ? null : <Entry sign="≠" name="Message" words="" place="message" current={current} onGo={onGo} />}
        {steps.map((step) => (
          <Entry
            key={step.step}
            sign={stepSign(step)}
            name={`Step ${step.step}`}
            words={stepText(step)}
            place={stepPlace(step.step)}
            current={current}
            onGo={onGo}
          />
        ))}
        {end.same ? null : <Entry sign="≠" name="End" words="" place="end" current={current} onGo={onGo} />}
      </ul>
    </nav>
  );
}

interface EntryProps extends Pick<OutlineProps, "current" | "onGo"> {
  sign: string;
  name: string;
  words: string;
  place: string;
}

function Entry({ sign, name, words, place, current, onGo }: EntryProps) {
  return (
    <li>
      <button
        type="button"
        aria-current={place === current}
        onClick={() => onGo(place)}
        className={classNames(
          "tnum flex h-7 w-full items-center gap-2 rounded-md px-2 text-left hover:bg-default",
          place === current && "bg-live-soft font-medium",
        )}
      >
        <span aria-hidden="true" className="w-3 shrink-0 font-mono">
          {sign}
        </span>
        <span className="shrink-0">{name}</span>
        <span className="min-w-0 flex-1 truncate text-right font-normal text-muted">{words}</span>
      </button>
    </li>
  );
}

interface BlocksProps {
  blocks: readonly CompareBlock[];
  compared: ComparedRuns;
  current: string | null;
  hasDifference: boolean;
}

/** Only what is in view is mounted. */
function Blocks({ blocks, compared, current, hasDifference }: BlocksProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const getItemKey = useCallback((index: number) => blocks[index]?.key ?? index, [blocks]);
  const virtualizer = useVirtualizer({
    count: blocks.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (blocks[index]?.kind === "same" ? 36 : 160),
    getItemKey,
    overscan: 6,
    initialRect: { width: 1100, height: 800 },
  });
  const latest = useRef({ blocks, virtualizer });
  useEffect(() => {
    latest.current = { blocks, virtualizer };
  });
  useEffect(() => {
    const index = latest.current.blocks.findIndex(({ key }) => key === current);
    if (index > 0) latest.current.virtualizer.scrollToIndex(index, { align: "start" });
  }, [current]);
  if (!hasDifference && compared.steps.length > 0 && blocks.every(({ kind }) => kind === "same")) {
    return (
      <EmptyState title="The same calls">
        The same calls with the same arguments, in the same order, and the same answers. Cost and time may differ.
      </EmptyState>
    );
  }
  return (
    <section
      ref={scroller}
      aria-label="Both runs"
      className="min-h-0 flex-1 overflow-y-auto -outline-offset-2 [overflow-anchor:none]"
      {...{ tabIndex: 0 }}
    >
      <div className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ key, index, start }) => {
          const block = blocks[index];
          return block ? (
            <div
              key={key}
              data-index={index}
              ref={virtualizer.measureElement}
              className={classNames(
                "absolute inset-x-0 top-0",
                block.key === current && "shadow-[inset_2px_0_0_var(--link)]",
              )}
              style={{ transform: `translateY(${start}px)` }}
            >
              <Block block={block} compared={compared} />
            </div>
          ) : null;
        })}
      </div>
    </section>
  );
}

const TEXT_LABELS = { config: "Settings", message: "Message", end: "End" } as const;

function Block({ block, compared }: { block: CompareBlock; compared: ComparedRuns }) {
  if (block.kind === "same") return <SameSteps steps={block.steps} />;
  if (block.kind === "step") {
    const isFirst = compared.firstDifference?.step === block.step.step;
    return <CompareStep step={block.step} runs={compared} isFirstDifference={isFirst} />;
  }
  if (block.key === "config") return <Config texts={block.texts} />;
  return (
    <section aria-label={TEXT_LABELS[block.key]}>
      <CompareRow isHead sign={block.texts.same ? "=" : "≠"} a={TEXT_LABELS[block.key]} b={TEXT_LABELS[block.key]} />
      <CompareRow
        sign={block.texts.same ? "=" : "≠"}
        a={<SideText texts={block.texts} side="a" />}
        b={<SideText texts={block.texts} side="b" />}
      />
    </section>
  );
}

function Config({ texts: { same, a, b } }: { texts: ComparedTexts }) {
  const rows = useMemo(() => (same ? [] : diffRows(a ?? "", b ?? "")), [same, a, b]);
  return (
    <section aria-label="Settings" className="border-b border-border">
      <h2 className="bg-default px-4 py-1.5 text-xs font-medium">Settings{same ? ", the same" : ""}</h2>
      {same ? null : <Diff rows={rows} path="agent.yaml" />}
    </section>
  );
}

function SameSteps({ steps }: { steps: readonly ComparedStep[] }) {
  const [first, last] = [steps[0], steps.at(-1)];
  const calls = steps.reduce((sum, step) => sum + step.calls.length, 0);
  const name = first === last ? `Step ${first?.step}` : `Steps ${first?.step} to ${last?.step}`;
  return (
    <p className="tnum mx-4 my-1 flex h-7 items-center gap-2 rounded-md border border-dashed border-border px-3 text-xs text-muted">
      <span aria-hidden="true" className="font-mono">
        =
      </span>
      {name}, {calls === 1 ? "1 call" : `${calls} calls`} the same
    </p>
  );
}
