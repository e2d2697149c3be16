"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "@/components/ui/controls/button";
import { Segments } from "@/components/ui/controls/segments";
import { Select } from "@/components/ui/controls/select";
import { FIELD } from "@/components/ui/controls/text-field";
import type { AgentEditor } from "@/lib/client/agents/draft/use-agent-editor";
import { recentRunsQuery, tryHook } from "@/lib/client/agents/hooks/hook-queries";
import type { HookRow } from "@/lib/client/agents/hooks/hook-rows";
import { readSample, sampleSteps, stepSample } from "@/lib/client/agents/hooks/try-sample";
import { errorMessage } from "@/lib/client/http/api";
import { traceQuery } from "@/lib/client/trace/trace-queries";
import { classNames } from "@/lib/client/ui/class-names";
import { HookPhase, isCallPhase } from "@/lib/schema/agents/try-hook";
import { TryResult } from "./try-result";

const PASTED = "pasted";
const NO_STEPS = { isFetching: false, data: undefined };

/** Runs the selected hook alone, on a real step's request or on pasted input. */
export function TryPanel({ row, editor }: { row: HookRow; editor: AgentEditor }) {
  const phases = (row.known?.phases ?? []).flatMap((phase) => HookPhase.safeParse(phase).data ?? []);
  const [phase, setPhase] = useState(phases.find((one) => one !== "before_agent") ?? phases[0]);
  const [runId, setRunId] = useState(PASTED);
  const [spanId, setSpanId] = useState<string | null>(null);
  const [text, setText] = useState("");
  const client = useQueryClient();
  const { agent, saver } = editor;
  const runs = useQuery(recentRunsQuery(agent.id));
  const trace = useQuery({ ...traceQuery(runId), enabled: runId !== PASTED, refetchInterval: false });
  const { data: found } = runId === PASTED ? NO_STEPS : trace;
  const isCall = phase !== undefined && isCallPhase(phase);
  const steps = found ? sampleSteps(found.spans, isCall) : [];
  const step = steps.find(({ id }) => id === spanId) ?? steps[0];
  const attempt = useMutation({
    mutationFn: async () => {
      if (phase === undefined) throw new Error("This hook has no phase to try.");
      const sample = runId === PASTED ? readSample(text, isCall) : await stepSample(client, { runId, step, isCall });
      if (!(await saver.flush())) throw new Error("The draft is not saved yet. Save it, then try again.");
      return tryHook(agent.id, { hook: row.name, phase, ...sample });
    },
  });
  if (phase === undefined) {
    return (
      <p className="p-4 text-sm text-muted">
        {row.name} can't be tried: {row.words}
      </p>
    );
  }
  const options = [
    { id: PASTED, name: isCall ? "A call that you paste" : "Messages that you paste" },
    ...(runs.data ?? []).map((run) => ({ id: run.id, name: run.title ?? run.id, description: run.startedAt })),
  ];
  const choosePhase = (id: string) => {
    setPhase(HookPhase.safeParse(id).data ?? phase);
    setSpanId(null);
    attempt.reset();
  };
  return (
    <div className="space-y-3 p-4">
      <div>
        <h2 className="font-mono text-sm">{row.name}</h2>
        {row.known?.extension ? (
          <p className="text-xs text-muted">
            extensions/{row.known.extension.file} · sha {row.known.extension.hash.slice(0, 7)}
          </p>
        ) : null}
      </div>
      <div className="overflow-x-auto">
        <Segments label="Phase" options={phases.map((id) => ({ id, name: id }))} value={phase} onChange={choosePhase} />
      </div>
      <Select label="Sample" options={options} value={runId} onChange={setRunId} />
      {runs.error ? <p className="text-xs text-fail-text">{errorMessage(runs.error)}</p> : null}
      {runId === PASTED ? (
        <label className="block text-xs text-muted">
          {isCall ? 'Name and arguments, such as execute {"command": "ls"}' : "One message, or JSON with several"}
          <textarea
            rows={4}
            value={text}
            onChange={(event) => setText(event.target.value)}
            className={classNames(FIELD, "mt-1 block resize-y py-1.5 font-mono text-xs text-foreground")}
          />
        </label>
      ) : (
        <Steps steps={steps} value={step?.id ?? null} isLoading={trace.isPending} onChange={setSpanId} />
      )}
      <Button isPending={attempt.isPending} onPress={() => attempt.mutate()}>
        Try
      </Button>
      {attempt.error ? (
        <p role="alert" className="text-sm break-words text-fail-text">
          {errorMessage(attempt.error)}
        </p>
      ) : null}
      {attempt.data ? <TryResult reply={attempt.data} /> : null}
      <p className="text-xs text-muted">
        {attempt.data
          ? "Only this hook ran: no model, no tool, nothing stored."
          : "Only this hook runs: no model, no tool, nothing is stored."}
      </p>
    </div>
  );
}

interface StepsProps {
  steps: readonly { readonly id: string; readonly name: string }[];
  value: string | null;
  isLoading: boolean;
  onChange: (id: string) => void;
}

function Steps({ steps, value, isLoading, onChange }: StepsProps) {
  if (isLoading) return <p className="text-xs text-muted">The steps of this run are loading.</p>;
  if (steps.length === 0) return <p className="text-xs text-muted">This run has no step of this kind.</p>;
  return <Select label="Step" options={steps} value={value} onChange={onChange} />;
}
