"use client";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { FileNote } from "@/components/chat/files/file-states";
import { usePageKeys } from "@/components/shell/shell-context";
import { LayoutSwitch, type LayoutSwitchProps } from "@/components/trace/layout-switch";
import { Select } from "@/components/ui/controls/select";
import { QueryState } from "@/components/ui/states/query-state";
import { EmptyState } from "@/components/ui/states/state-block";
import { stateChanges } from "@/lib/client/trace/state/state-changes";
import { runStateQuery } from "@/lib/client/trace/state/state-queries";
import { type StepStop, stepStops, stopName } from "@/lib/client/trace/state/step-stops";
import { type StatePlace, useStatePlace } from "@/lib/client/trace/state/use-state-place";
import { useShortcuts } from "@/lib/client/ui/input/use-shortcuts";
import type { RunState } from "@/lib/schema/traces/run-state";
import type { Trace } from "@/lib/schema/traces/trace";
import { StateFile } from "./state-file";
import { StateFiles } from "./state-files";
import { StatePart } from "./state-part";
import { StateParts } from "./state-parts";
import { StepSlider } from "./step-slider";

const PAGE_KEYS = [
  { keys: "← →", does: "Step before and after" },
  { keys: "⇧ ← →", does: "Move the compared step" },
  { keys: "d", does: "Text or difference" },
  { keys: "[ ]", does: "Run above and below" },
] as const;

export interface TraceStateProps extends LayoutSwitchProps {
  trace: Trace;
}

/** What the model of each step was about to read: files, plan, memory, summary, prompt, tools and rules as of then. */
export function TraceState({ trace, layout, onLayout }: TraceStateProps) {
  const stops = useMemo(() => stepStops(trace), [trace]);
  const place = useStatePlace(stops);
  const [isDifference, setDifference] = useState(true);
  usePageKeys(PAGE_KEYS);
  useShortcuts({
    ArrowLeft: ({ shiftKey }) => (shiftKey ? place.compare(place.otherIndex - 1) : place.show(place.index - 1)),
    ArrowRight: ({ shiftKey }) => (shiftKey ? place.compare(place.otherIndex + 1) : place.show(place.index + 1)),
    d: () => setDifference(!isDifference),
  });
  const { stop, other } = place;
  return (
    <>
      <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-3 border-y border-border px-3 py-1.5 text-xs">
        <LayoutSwitch layout={layout} onLayout={onLayout} />
        {stop === undefined ? null : (
          <p className="min-w-0 flex-1 text-muted max-md:hidden">
            {stop.isEnd ? "What the run left" : `What the model of ${stopName(stop)} was about to read`}
          </p>
        )}
        {other === undefined ? null : <CompareWith stops={stops} place={place} other={other} />}
      </div>
      {stop === undefined ? (
        <EmptyState title="No step yet">The run has not called its model yet. It appears here once it does.</EmptyState>
      ) : (
        <>
          <StepSlider stops={stops} place={place} />
          <StateOf
            runId={trace.runId}
            place={place}
            stop={stop}
            isDifference={isDifference}
            onDifference={setDifference}
          />
        </>
      )}
    </>
  );
}

interface CompareWithProps {
  stops: readonly StepStop[];
  place: StatePlace;
  other: StepStop;
}

function CompareWith({ stops, place, other }: CompareWithProps) {
  const options = stops.flatMap((one, at) => (at === place.index ? [] : [{ id: String(at), name: stopName(one) }]));
  return (
    <span className="flex shrink-0 items-center gap-2 text-muted">
      <span aria-hidden="true">Compare with</span>
      <Select
        label="Compare with"
        look="bare"
        options={options}
        value={String(stops.indexOf(other))}
        onChange={(id) => place.compare(Number(id))}
      />
    </span>
  );
}

interface StateOfProps {
  runId: string;
  place: StatePlace;
  stop: StepStop;
  isDifference: boolean;
  onDifference: (isDifference: boolean) => void;
}

function StateOf({ runId, place, stop, ...difference }: StateOfProps) {
  const query = useQuery(runStateQuery(runId, stop.step));
  const before = useQuery({
    ...runStateQuery(runId, place.other?.step ?? stop.step),
    enabled: place.other !== undefined,
  });
  return (
    <div className="flex min-h-0 flex-1 max-lg:flex-col max-lg:overflow-y-auto">
      <QueryState what="state of this step" query={query}>
        {(state) => (
          <Parts
            runId={runId}
            place={place}
            stop={stop}
            {...difference}
            state={state}
            otherState={place.other === undefined ? null : (before.data ?? null)}
          />
        )}
      </QueryState>
    </div>
  );
}

function Parts({
  state,
  otherState,
  place,
  ...shown
}: StateOfProps & { state: RunState; otherState: RunState | null }) {
  const changes = useMemo(() => stateChanges(state, otherState), [state, otherState]);
  const { part, other } = place;
  const file = changes.files.find(({ item }) => item.path === place.file) ?? firstOf(changes.files);
  return (
    <>
      <StateParts state={state} changes={changes} shown={part} onShow={place.setPart} />
      {part === "files" ? (
        <>
          <StateFiles state={state} files={changes.files} shown={file?.item.path ?? null} onShow={place.setFile} />
          {file ? (
            <StateFile key={file.item.path} {...shown} file={file} other={other} />
          ) : (
            <FileNote>There is no file to show.</FileNote>
          )}
        </>
      ) : (
        <StatePart
          part={part}
          state={state}
          otherState={otherState}
          changes={changes}
          stop={shown.stop}
          other={other}
        />
      )}
    </>
  );
}

/** One that differs, else the first. */
function firstOf<File extends { readonly change: unknown }>(files: readonly File[]): File | undefined {
  return files.find(({ change }) => change !== null) ?? files[0];
}
