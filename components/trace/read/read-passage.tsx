"use client";
import { ChevronRight } from "lucide-react";
import Link from "next/link";
import { CallArguments } from "@/components/chat/transcript/call-arguments";
import { CallNotes } from "@/components/trace/notes/read-notes";
import { CallPercentile } from "@/components/trace/span/call-percentile";
import { CodeBlock } from "@/components/ui/code/code-block";
import { CopyButton } from "@/components/ui/controls/copy-button";
import { Markdown } from "@/components/ui/markdown/markdown";
import { StateRing } from "@/components/ui/states/state-ring";
import type { ReadRow } from "@/lib/client/trace/read/read-rows";
import { classNames } from "@/lib/client/ui/class-names";
import { formatCost, formatCount, formatExact, formatTime } from "@/lib/client/ui/text/format";
import { formatDuration } from "@/lib/schema/format-duration";
import { failureText } from "@/lib/schema/runs/failure-text";
import type { Note } from "@/lib/schema/traces/note";
import type { ReadCall, ReadPassage, ReadRun, ReadText } from "@/lib/schema/traces/read-trace";

export interface ReadRowProps {
  row: ReadRow;
  traceId: string;
  /** Of the whole trace. */
  notes: readonly Note[];
  isCurrent: boolean;
  onToggle: (key: string) => void;
  /** The address of a passage. */
  linkTo: (passageId: string) => string;
}

/** One row of the text. */
export function ReadRowView({ row, traceId, notes, isCurrent, onToggle, linkTo }: ReadRowProps) {
  return (
    <div
      style={{ paddingInlineStart: row.depth * 20 }}
      className={classNames("relative", isCurrent && "shadow-[inset_2px_0_0_var(--link)]")}
    >
      {"run" in row ? (
        <RunLine run={row.run} isOpen={row.isOpen} onToggle={() => onToggle(row.key)} />
      ) : (
        <>
          <Passage
            passage={row.passage}
            traceId={traceId}
            isOpen={row.isOpen}
            onToggle={() => onToggle(row.key)}
            linkTo={linkTo}
          />
          <CallNotes notes={notesOn(row.passage, notes)} />
        </>
      )}
    </div>
  );
}

function notesOn(passage: ReadPassage, notes: readonly Note[]): readonly Note[] {
  if (passage.kind !== "call" || passage.spanId === null) return [];
  return notes.filter(({ spanId }) => spanId === passage.spanId);
}

interface PassageProps {
  passage: ReadPassage;
  traceId: string;
  isOpen: boolean;
  onToggle: () => void;
  linkTo: (passageId: string) => string;
}

function Passage({ passage, traceId, isOpen, onToggle, linkTo }: PassageProps) {
  switch (passage.kind) {
    case "message":
      return (
        <div className="my-2 rounded-lg bg-default px-4 py-2.5 text-sm break-words whitespace-pre-wrap">
          {passage.text.text}
          <Rest text={passage.text} />
        </div>
      );
    case "step":
      return <StepHead passage={passage} linkTo={linkTo} />;
    case "thought":
      return <Thought text={passage.text} isOpen={isOpen} onToggle={onToggle} />;
    case "answer":
      return (
        <div className="px-2 py-1.5">
          <Markdown text={passage.text.text} />
          <Rest text={passage.text} />
        </div>
      );
    case "call":
      return <Call call={passage} traceId={traceId} isOpen={isOpen} onToggle={onToggle} />;
    case "wait":
      return (
        <div className="my-1.5 flex gap-3 rounded-md bg-signal-soft py-2 pr-3 text-sm text-signal-text">
          <span aria-hidden="true" className="hatch -my-2 w-1 shrink-0 rounded-l-md [--hatch:var(--signal)]" />
          <p className="min-w-0 flex-1">
            <span className="font-medium">{passage.title}</span>{" "}
            <span className="block text-xs">{passage.decision}</span>
          </p>
          <p className="tnum shrink-0 text-xs" title={formatExact(passage.fromMs)}>
            {formatTime(passage.fromMs)}
            {passage.toMs === null ? "" : ` to ${formatTime(passage.toMs)}`}
          </p>
        </div>
      );
    case "notice":
      return (
        <p
          className={classNames(
            "px-2 py-1.5 text-sm break-words whitespace-pre-wrap",
            passage.tone === "fail" ? "text-fail-text" : "text-muted",
          )}
        >
          {failureText(passage.text)}
        </p>
      );
  }
}

function StepHead({
  passage,
  linkTo,
}: Pick<PassageProps, "linkTo"> & { passage: Extract<ReadPassage, { kind: "step" }> }) {
  const facts = [
    passage.calls === 1 ? "1 call" : `${formatCount(passage.calls)} calls`,
    ...(passage.workedMs === null ? [] : [formatDuration(passage.workedMs)]),
    ...(passage.costUsd === null ? [] : [formatCost(passage.costUsd)]),
  ];
  return (
    <div className="group flex items-center gap-3 pt-3 pb-1 text-xs text-muted">
      <h2 className="shrink-0" title={passage.atMs === null ? undefined : formatExact(passage.atMs)}>
        Step {passage.step}
      </h2>
      <CopyButton
        text={() => linkTo(passage.id)}
        label={`Copy link to step ${passage.step}`}
        className="opacity-0 group-hover:opacity-100 focus-visible:opacity-100"
      />
      <span aria-hidden="true" className="h-px flex-1 bg-border" />
      <span className="tnum shrink-0">{facts.join(", ")}</span>
    </div>
  );
}

const LINE =
  "relative flex min-h-8 items-center gap-2 rounded-md px-2 text-sm hover:bg-default touch-row focus-within:bg-default";

/** The button reaches over its whole line, whose text stays outside of it: a search marks it. */
function FoldButton({ label, isOpen, onToggle }: { label: string; isOpen: boolean; onToggle: () => void }) {
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-label={label}
      onClick={onToggle}
      className="shrink-0 text-subtle after:absolute after:inset-0 after:rounded-md focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-focus"
    >
      <ChevronRight className={classNames("size-3.5", isOpen && "rotate-90")} aria-hidden />
    </button>
  );
}

interface FoldProps {
  isOpen: boolean;
  onToggle: () => void;
}

function Thought({ text, isOpen, onToggle }: FoldProps & { text: ReadText }) {
  return (
    <>
      <div className={classNames(LINE, "text-muted")}>
        <FoldButton label="Thought" isOpen={isOpen} onToggle={onToggle} />
        <span aria-hidden="true" className="shrink-0">
          Thought
        </span>
        {isOpen ? null : (
          <span aria-hidden="true" className="min-w-0 flex-1 truncate italic">
            {text.text.slice(0, 200)}
          </span>
        )}
      </div>
      {isOpen ? (
        <div className="px-8 pb-2 text-sm break-words whitespace-pre-wrap text-muted">
          {text.text}
          <Rest text={text} />
        </div>
      ) : null}
    </>
  );
}

function RunLine({ run, isOpen, onToggle }: FoldProps & { run: ReadRun }) {
  const steps = run.steps === 1 ? "1 step" : `${formatCount(run.steps)} steps`;
  return (
    <div className={LINE}>
      <FoldButton label={`${run.name}, ${steps}`} isOpen={isOpen} onToggle={onToggle} />
      <span className="font-medium">{run.name}</span>
      <span className="tnum text-muted">
        {steps}
        {run.hasMessages ? "" : ", its messages were removed"}
      </span>
    </div>
  );
}

function Call({ call, traceId, isOpen, onToggle }: FoldProps & { call: ReadCall; traceId: string }) {
  const { tool, gist, status, durationMs } = call;
  return (
    <div className={classNames("rounded-md", isOpen && "my-1 border border-border")}>
      <div className={LINE}>
        <FoldButton label={`${tool} ${gist}`} isOpen={isOpen} onToggle={onToggle} />
        <StateRing status={status === "unknown" ? "interrupted" : status} labelled isStill={status !== "running"} />
        <span className="shrink-0 font-mono text-xs font-medium">{tool}</span>
        <span className="min-w-0 flex-1 truncate font-mono text-xs text-muted">{gist}</span>
        {durationMs === null ? null : (
          <span className="tnum shrink-0 text-xs text-muted">{formatDuration(durationMs)}</span>
        )}
      </div>
      {isOpen ? <CallBody call={call} traceId={traceId} /> : null}
    </div>
  );
}

function CallBody({ call, traceId }: { call: ReadCall; traceId: string }) {
  const args = readArguments(call.args);
  const hasRun = call.status === "completed" || call.status === "failed";
  return (
    <div className="border-t border-border">
      {hasRun && call.spanId !== null ? (
        <CallPercentile
          traceId={traceId}
          spanId={call.spanId}
          className="border-b border-separator px-3 py-1.5 text-xs text-muted"
        />
      ) : null}
      {args === null ? (
        <CodeBlock isBare wrap code={call.args.text} title="arguments.json" className="max-h-96 overflow-auto" />
      ) : (
        <CallArguments args={args} />
      )}
      <div className={classNames("border-t border-separator", call.isError && "text-fail-text")}>
        {call.result === null ? (
          <p className="px-3 py-1.5 text-xs text-muted">No result was recorded.</p>
        ) : (
          <CodeBlock isBare wrap code={call.result.text} title="result" className="max-h-96 overflow-auto" />
        )}
      </div>
      <CutNote call={call} />
    </div>
  );
}

function CutNote({ call: { args, result, spanId } }: { call: ReadCall }) {
  const missing = missingChars(args) + (result === null ? 0 : missingChars(result));
  if (spanId === null) return null;
  return (
    <p className="tnum flex flex-wrap gap-x-3 border-t border-separator px-3 py-1.5 text-xs text-muted">
      {missing > 0 ? <span>{formatCount(missing)} more characters</span> : null}
      <Link
        href={`?layout=waterfall&span=${encodeURIComponent(spanId)}&tab=tools`}
        className="text-link hover:underline"
      >
        Open the span
      </Link>
    </p>
  );
}

/** Null for what is not a whole JSON object: it was cut, or the model wrote something else. */
function readArguments({ text, chars }: ReadText): Readonly<Record<string, unknown>> | null {
  if (chars > text.length) return null;
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === "object" && found !== null && !Array.isArray(found) ? { ...found } : null;
  } catch {
    return null;
  }
}

function missingChars({ text, chars }: ReadText): number {
  return Math.max(0, chars - text.length);
}

function Rest({ text }: { text: ReadText }) {
  const missing = missingChars(text);
  if (missing === 0) return null;
  return <p className="tnum pt-1 text-xs text-muted">{formatCount(missing)} more characters are not shown here.</p>;
}
