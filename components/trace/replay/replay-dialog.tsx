"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useMemo } from "react";
import { useShell } from "@/components/shell/shell-context";
import { Field } from "@/components/ui/form/field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { SegmentsField } from "@/components/ui/form/segments-field";
import { SelectField } from "@/components/ui/form/select-field";
import { SwitchField } from "@/components/ui/form/switch-field";
import { Dialog } from "@/components/ui/overlays/dialog";
import { QueryState } from "@/components/ui/states/query-state";
import { type Form, useForm } from "@/lib/client/forms/use-form";
import {
  changesOf,
  fieldOfReplay,
  liveTools,
  type ReplayForm,
  recordedForm,
  replaySchema,
  runsOf,
} from "@/lib/client/trace/replay/replay-form";
import { estimateText } from "@/lib/client/trace/replay/replay-labels";
import { planKey, replayHref, replayPlanQuery, startReplays } from "@/lib/client/trace/replay/replay-queries";
import { formatExact } from "@/lib/client/ui/text/format";
import { versionLabel } from "@/lib/schema/runs/run-version";
import type { ReplayPlan } from "@/lib/schema/traces/replay";
import { CallChange } from "./call-change";
import { PromptChange } from "./prompt-change";
import { ReplayTools } from "./replay-tools";

export interface ReplayDialogProps {
  runId: string;
  fromStep: number;
  onClose: () => void;
}

/** What a replay of the run would change, and the button that starts it. */
export function ReplayDialog({ runId, fromStep, onClose }: ReplayDialogProps) {
  const query = useQuery(replayPlanQuery(runId, Math.max(fromStep, 1)));
  const plan = query.data;
  if (plan && plan.problem === null) {
    const step = Math.min(Math.max(fromStep, 1), plan.steps);
    return <ReplayFormDialog plan={plan} fromStep={step} onClose={onClose} />;
  }
  return (
    <Dialog title="Replay this run" isOpen onClose={onClose}>
      <QueryState what="recording" query={query}>
        {({ problem }) => <p className="text-sm">{problem}</p>}
      </QueryState>
    </Dialog>
  );
}

const REPEATS = ["1", "3", "5", "10"].map((id) => ({ id, name: id }));

interface ReplayFormDialogProps extends Pick<ReplayDialogProps, "fromStep" | "onClose"> {
  plan: ReplayPlan;
}

function ReplayFormDialog({ plan, fromStep, onClose }: ReplayFormDialogProps) {
  const queryClient = useQueryClient();
  const { go } = useShell();
  const schema = useMemo(() => replaySchema(plan), [plan]);
  const form = useForm({
    subject: `replay ${plan.runId}`,
    schema,
    initial: recordedForm(plan, fromStep),
    fieldOf: fieldOfReplay,
    save: ({ replay, withControl }) => startReplays(replay, { withControl }),
    onSaved: async (replayId: string) => {
      await queryClient.invalidateQueries({ queryKey: planKey(plan.runId) });
      go(replayHref(replayId));
    },
  });
  const runs = runsOf(plan, form.values);
  return (
    <FormDialog
      form={form}
      title={`Replay from step ${form.values.fromStep}`}
      size="lg"
      submitLabel={runs === 1 ? "Start 1 run" : `Start ${runs} runs`}
      hasSubmitKeys
      isValid={form.values.isConfirmed || liveTools(plan.tools, form.values).length === 0}
      onClose={onClose}
    >
      <Kept plan={plan} form={form} />
      <Changes plan={plan} form={form} />
      <ReplayTools plan={plan} form={form} runs={runs} />
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <span className="flex items-center gap-2 text-sm">
          <span aria-hidden="true">Repeat</span>
          <SegmentsField of={form} name="repeat" label="Repeat" options={REPEATS} />
        </span>
        {changesOf(plan, form.values) === undefined ? null : (
          <SwitchField of={form} name="withControl" label={controlLabel(Number(form.values.repeat))} />
        )}
      </div>
      <Earlier replays={plan.replays} />
      <p className="tnum text-xs text-muted">
        {estimateText(plan, Number(form.values.fromStep), runs)}. Your workspace, memory and threads stay as they are.
      </p>
    </FormDialog>
  );
}

function controlLabel(times: number): string {
  return `Run it unchanged as well, ${times === 1 ? "once" : `${times} times`}, as a control`;
}

interface PartProps {
  plan: ReplayPlan;
  form: Form<ReplayForm>;
}

function Kept({ plan, form }: PartProps) {
  const step = Number(form.values.fromStep);
  const before =
    step === 1
      ? "Every step is run again."
      : step === 2
        ? "Step 1 is not run again."
        : `Steps 1 to ${step - 1} are not run again.`;
  const steps = Array.from({ length: plan.steps }, (_, index) => ({
    id: String(index + 1),
    name: `Step ${index + 1}`,
  }));
  return (
    <>
      <SelectField of={form} name="fromStep" label="From" options={steps} className="w-40" />
      <p className="text-sm text-muted">
        {before} Messages, plan, memory and prompt are those with which step {step} of {versionLabel(plan.version)}{" "}
        began.
      </p>
    </>
  );
}

function Changes({ plan, form }: PartProps) {
  const { version } = form.values;
  const models = [...new Set([plan.model, ...plan.models])].map((id) => ({
    id,
    name: id === plan.model && version !== "" ? "As the version says" : id,
    ...(id === plan.model && version === "" ? { description: "as recorded" } : {}),
  }));
  return (
    <>
      <h3 className="text-sm font-semibold">What changes</h3>
      <VersionChoice plan={plan} form={form} />
      <SelectField of={form} name="model" label="Model" options={models} />
      {plan.systemPrompt === null || version !== "" ? null : <PromptChange of={form} recorded={plan.systemPrompt} />}
      {plan.message === null ? null : <Field of={form} name="message" label="Message" rows={2} />}
      <CallChange plan={plan} form={form} />
    </>
  );
}

/** Another version brings its own prompt. Nothing where there is no other. */
function VersionChoice({ plan, form }: PartProps) {
  const others = plan.versions.map((number) => ({ id: String(number), name: versionLabel(number) }));
  const draft = plan.hasDraft ? [{ id: "draft", name: "Draft" }] : [];
  if (others.length + draft.length === 0) return null;
  return (
    <SelectField
      of={form}
      name="version"
      label="Version"
      options={[{ id: "", name: versionLabel(plan.version), description: "as recorded" }, ...draft, ...others]}
      onChosen={() => form.set("systemPrompt", plan.systemPrompt ?? "")}
    />
  );
}

/** The replays of this run so far. */
function Earlier({ replays }: Pick<ReplayPlan, "replays">) {
  if (replays.length === 0) return null;
  return (
    <details className="text-xs">
      <summary className="cursor-pointer text-muted">Earlier replays ({replays.length})</summary>
      <ul className="mt-1 flex flex-col gap-1">
        {replays.map(({ id, createdAt, fromStep, repeat, isUnchanged }) => (
          <li key={id}>
            <Link href={replayHref(id)} className="tnum text-link hover:underline">
              {formatExact(Date.parse(createdAt))}, from step {fromStep}, {repeat === 1 ? "1 run" : `${repeat} runs`}
              {isUnchanged ? ", unchanged" : ""}
            </Link>
          </li>
        ))}
      </ul>
    </details>
  );
}
