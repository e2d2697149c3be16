import { Field } from "@/components/ui/form/field";
import { SegmentsField } from "@/components/ui/form/segments-field";
import { SelectField } from "@/components/ui/form/select-field";
import type { Form } from "@/lib/client/forms/use-form";
import { policiesOf, type ReplayForm } from "@/lib/client/trace/replay/replay-form";
import type { ReplayPlan } from "@/lib/schema/traces/replay";

const PARTS = [
  { id: "result", name: "Result" },
  { id: "args", name: "Arguments" },
];

interface CallChangeProps {
  plan: ReplayPlan;
  form: Form<ReplayForm>;
}

/** One recorded call with another result or other arguments. Nothing in a run without calls. */
export function CallChange({ plan, form }: CallChangeProps) {
  if (plan.calls.length === 0) return null;
  const calls = plan.calls.map(({ toolCallId, step, tool, gist }) => ({
    id: toolCallId,
    name: `${tool} ${gist}`,
    description: `step ${step}`,
  }));
  const choose = (id: string) => {
    const { result = "", args = null } = plan.calls.find(({ toolCallId }) => toolCallId === id) ?? {};
    form.set("result", result);
    form.set("args", args ?? "");
    form.set("callPart", "result");
  };
  return (
    <>
      <SelectField
        of={form}
        name="callId"
        label="A call"
        options={[{ id: "", name: "None: all calls as recorded" }, ...calls]}
        onChosen={choose}
      />
      {form.values.callId === "" ? null : <OneCall plan={plan} form={form} />}
    </>
  );
}

function OneCall({ plan, form }: CallChangeProps) {
  const { callId, callPart } = form.values;
  const call = plan.calls.find(({ toolCallId }) => toolCallId === callId);
  return (
    <>
      {call?.args == null ? null : (
        <SegmentsField of={form} name="callPart" label="What of it changes" options={PARTS} />
      )}
      {callPart === "result" ? (
        <Field of={form} name="result" label="Its result" rows={3} mono />
      ) : (
        <>
          <Field of={form} name="args" label="Its arguments" rows={4} mono />
          <ArgumentsNote plan={plan} form={form} tool={call?.tool ?? ""} />
        </>
      )}
    </>
  );
}

/** Other arguments have no recorded result. */
function ArgumentsNote({ plan, form, tool }: CallChangeProps & { tool: string }) {
  const { onMiss } = form.values;
  const index = plan.tools.findIndex(({ name }) => name === tool);
  const policy = policiesOf(plan.tools, form.values)[index] ?? form.values.tools;
  if (policy !== "recorded" || onMiss !== "fail") return null;
  return (
    <p className="text-xs text-muted">
      The recording has no result for other arguments: choose for {tool} below what answers it.
    </p>
  );
}
