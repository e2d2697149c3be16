"use client";
import Link from "next/link";
import { StateRing } from "@/components/ui/states/state-ring";
import { Tag } from "@/components/ui/tag";
import { signOf, stepSign } from "@/lib/client/trace/compare/compare-labels";
import { formatCost, formatTokens } from "@/lib/client/ui/text/format";
import { formatDuration } from "@/lib/schema/format-duration";
import { RunStatus } from "@/lib/schema/runs/run";
import type {
  ComparedCall,
  ComparedCallSide,
  ComparedRuns,
  ComparedStep,
  ComparedStepSide,
} from "@/lib/schema/traces/compare-runs";
import { CompareRow } from "./compare-row";
import { SideText } from "./side-text";

export interface CompareStepProps {
  step: ComparedStep;
  runs: Pick<ComparedRuns, "a" | "b">;
  isFirstDifference: boolean;
}

/** One step of both runs: what the model said, and its calls in pairs. */
export function CompareStep({ step, runs, isFirstDifference }: CompareStepProps) {
  const sign = stepSign(step);
  const hasAnswer = (step.answer.a ?? "") !== "" || (step.answer.b ?? "") !== "";
  return (
    <section aria-label={`Step ${step.step}`}>
      <CompareRow
        isHead
        sign={sign}
        a={<Head step={step} side={step.a} isFirstDifference={isFirstDifference && step.b === null} />}
        b={<Head step={step} side={step.b} isFirstDifference={isFirstDifference} />}
      />
      {hasAnswer ? (
        <CompareRow
          sign={signOf((step.answer.a ?? "") !== "", (step.answer.b ?? "") !== "", step.answer.same)}
          a={<SideText texts={step.answer} side="a" />}
          b={<SideText texts={step.answer} side="b" />}
        />
      ) : null}
      {step.calls.map((call) => (
        <Call key={`${call.a?.toolCallId} ${call.b?.toolCallId}`} call={call} runs={runs} />
      ))}
    </section>
  );
}

interface HeadProps {
  step: ComparedStep;
  side: ComparedStepSide | null;
  isFirstDifference: boolean;
}

function Head({ step, side, isFirstDifference }: HeadProps) {
  if (side === null) return null;
  const facts = [
    side.tokens === null ? null : formatTokens(side.tokens),
    side.costUsd === null ? null : formatCost(side.costUsd),
    side.workedMs === null ? null : formatDuration(side.workedMs),
  ].flatMap((fact) => fact ?? []);
  const notes = [
    step.samePrompt === false ? "other prompt" : null,
    step.sameTools === false ? "other tools" : null,
    step.isReordered ? "other order" : null,
  ].flatMap((note) => note ?? []);
  return (
    <div className="flex min-h-5 flex-wrap items-center gap-x-2">
      <p className="font-medium">Step {step.step}</p>
      {isFirstDifference ? <Tag>First difference</Tag> : null}
      {notes.length === 0 ? null : <span className="text-muted">{notes.join(", ")}</span>}
      <span className="flex-1" />
      <span className="tnum text-muted">{facts.join(", ")}</span>
    </div>
  );
}

function Call({ call, runs }: { call: ComparedCall; runs: CompareStepProps["runs"] }) {
  const sign = signOf(call.a !== null, call.b !== null, call.same);
  return (
    <CompareRow
      sign={sign}
      a={<CallSide call={call} side="a" own={call.a} runId={runs.a.runId} />}
      b={<CallSide call={call} side="b" own={call.b} runId={runs.b.runId} />}
    />
  );
}

interface CallSideProps {
  call: ComparedCall;
  side: "a" | "b";
  own: ComparedCallSide | null;
  runId: string;
}

function CallSide({ call, side, own, runId }: CallSideProps) {
  if (own === null) return null;
  const status = RunStatus.safeParse(own.status).data ?? "interrupted";
  const isPaired = call.a !== null && call.b !== null;
  const name = (
    <>
      <span className="font-medium">{call.tool}</span> <span className="text-muted">{own.gist}</span>
    </>
  );
  return (
    <>
      <div className="flex min-h-5 items-center gap-2">
        <StateRing status={status} size={13} labelled isStill />
        <span className="min-w-0 flex-1 truncate font-mono text-xs">
          {own.spanId === null ? (
            name
          ) : (
            <Link
              href={`/traces/${encodeURIComponent(runId)}?layout=waterfall&span=${encodeURIComponent(own.spanId)}&tab=tools`}
              className="hover:underline"
            >
              {name}
            </Link>
          )}
        </span>
        {own.durationMs === null ? null : (
          <span className="tnum shrink-0 text-xs text-muted">{formatDuration(own.durationMs)}</span>
        )}
      </div>
      {isPaired && !call.args.same ? (
        <SideText texts={call.args} side={side} className="mt-1 rounded-md bg-code px-2 py-1 font-mono text-xs" />
      ) : null}
      {isPaired && !call.result.same ? (
        <SideText texts={call.result} side={side} className="mt-1 rounded-md bg-code px-2 py-1 font-mono text-xs" />
      ) : null}
    </>
  );
}
