import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { SegmentsField } from "@/components/ui/form/segments-field";
import { SwitchField } from "@/components/ui/form/switch-field";
import type { Form } from "@/lib/client/forms/use-form";
import {
  liveTools,
  mayMiss,
  mayReuse,
  mayRun,
  missingTools,
  type ReplayForm,
} from "@/lib/client/trace/replay/replay-form";
import { replayPlanQuery } from "@/lib/client/trace/replay/replay-queries";
import { policySentence, sandboxSentence } from "@/lib/client/trace/replay/tool-policy-labels";
import type { ReplayPlan } from "@/lib/schema/traces/replay";
import { ToolPolicies } from "./tool-policies";

interface ReplayToolsProps {
  plan: ReplayPlan;
  form: Form<ReplayForm>;
  /** How many runs the form starts. */
  runs: number;
}

const POLICIES = [
  { id: "recorded", name: "Recorded" },
  { id: "sandbox", name: "Sandbox" },
  { id: "live", name: "Live" },
  { id: "ask", name: "Ask" },
];
const MISSES = [
  { id: "fail", name: "Ends the run" },
  { id: "sandbox", name: "Sandbox" },
  { id: "ask", name: "Asks me" },
];

/** How the calls of a replay are answered: one choice, with what it means for this run. */
export function ReplayTools({ plan, form, runs }: ReplayToolsProps) {
  const { tools: policy, fromStep } = form.values;
  const step = Number(fromStep);
  const { data = plan } = useQuery({ ...replayPlanQuery(plan.runId, step), placeholderData: keepPreviousData });
  const isRunning = mayRun(plan.tools, form.values);
  const missing = missingTools(data.tools);
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h3 className="text-sm font-semibold">Tools</h3>
        <SegmentsField of={form} name="tools" label="Tools" options={POLICIES} />
      </div>
      <p className="text-xs text-muted">{policySentence(policy)}</p>
      {isRunning ? <p className="text-xs text-muted">{sandboxSentence(data.sandbox, step)}</p> : null}
      {isRunning && missing.length > 0 ? (
        <p className="text-xs text-muted">
          {missing.join(", ")}: no longer {missing.length === 1 ? "a tool" : "tools"} of this agent, so nothing runs.
        </p>
      ) : null}
      <ToolPolicies plan={plan} form={form} />
      <Confirmation plan={plan} form={form} runs={runs} />
      {mayMiss(plan.tools, form.values) ? (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
          <span aria-hidden="true">A call the recording lacks</span>
          <SegmentsField of={form} name="onMiss" label="A call the recording lacks" options={MISSES} />
        </div>
      ) : null}
      {mayReuse(plan.tools, form.values) ? (
        <SwitchField of={form} name="reusesDecisions" label="Recorded decisions hold for the same calls" />
      ) : null}
    </>
  );
}

/** Names each tool that does more than read; the replay can't start before it is switched on. */
function Confirmation({ plan, form, runs }: ReplayToolsProps) {
  const names = liveTools(plan.tools, form.values);
  if (names.length === 0) return null;
  return (
    <div className="rounded-md border border-signal-line bg-signal-soft px-3 py-2">
      <SwitchField
        of={form}
        name="isConfirmed"
        label={`Really call ${names.join(", ")}, in up to ${runs === 1 ? "1 run" : `${runs} runs`}`}
      />
      <p className="mt-1 text-xs">What they do to other systems, a replay can’t take back.</p>
    </div>
  );
}
