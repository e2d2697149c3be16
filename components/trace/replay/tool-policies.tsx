import { useState } from "react";
import { Field } from "@/components/ui/form/field";
import { SelectField } from "@/components/ui/form/select-field";
import type { Form } from "@/lib/client/forms/use-form";
import { type ReplayForm, recordedCalls } from "@/lib/client/trace/replay/replay-form";
import { POLICY_NAMES } from "@/lib/client/trace/replay/tool-policy-labels";
import type { ReplayableTool, ReplayPlan } from "@/lib/schema/traces/replay";

interface ToolPoliciesProps {
  plan: ReplayPlan;
  form: Form<ReplayForm>;
}

/** Policies of single tools, folded: those that the recording calls first, the rest on request. */
export function ToolPolicies({ plan, form }: ToolPoliciesProps) {
  const [isWhole, setWhole] = useState(false);
  const counts = recordedCalls(plan);
  const tools = plan.tools.map((tool, index) => ({ tool, index, calls: counts.get(tool.name) ?? 0 }));
  const called = tools.filter(({ calls, index }) => calls > 0 || form.values.per[index] !== "");
  const others = tools.filter((one) => !called.includes(one));
  const own = form.values.per.filter((policy) => policy !== "").length;
  if (tools.length === 0) return null;
  return (
    <details className="text-sm">
      <summary className="cursor-pointer text-xs text-muted">
        One by one{own === 0 ? "" : ` (${own === 1 ? "1 differs" : `${own} differ`})`}
      </summary>
      <ul className="mt-2 overflow-hidden rounded-lg border border-border">
        {[...called, ...(isWhole ? others : [])].map(({ tool, index, calls }) => (
          <ToolRow key={tool.name} form={form} tool={tool} index={index} calls={calls} />
        ))}
      </ul>
      {isWhole || others.length === 0 ? null : (
        <button
          type="button"
          className="mt-1 text-xs text-link hover:underline touch-row"
          onClick={() => setWhole(true)}
        >
          {others.length} more that the recording does not call
        </button>
      )}
    </details>
  );
}

interface ToolRowProps {
  form: Form<ReplayForm>;
  tool: ReplayableTool;
  index: number;
  /** In the recording. */
  calls: number;
}

function ToolRow({ form, tool: { name, inSandbox, readOnly }, index, calls }: ToolRowProps) {
  const isOffered = (policy: string) =>
    policy === "sandbox" ? inSandbox : readOnly !== null || (policy !== "live" && policy !== "ask");
  const options = [
    { id: "", name: `As all: ${POLICY_NAMES[form.values.tools]}` },
    ...Object.entries(POLICY_NAMES)
      .filter(([policy]) => isOffered(policy))
      .map(([id, word]) => ({ id, name: word })),
  ];
  return (
    <li className="border-b border-separator px-3 py-1 last:border-b-0">
      <div className="flex min-h-8 flex-wrap items-center gap-x-3">
        <span className="min-w-0 flex-1 font-mono text-xs break-words">{name}</span>
        <span className="tnum shrink-0 text-xs text-muted">{calls === 0 ? "none recorded" : `${calls} recorded`}</span>
        <SelectField
          of={form}
          name={`per.${index}`}
          label={`Calls of ${name}`}
          look="bare"
          options={options}
          className="w-44 rounded-md border border-border bg-surface"
        />
      </div>
      {form.values.per[index] === "fixed" ? (
        <Field of={form} name={`fixed.${index}`} label={`Text that answers ${name}`} rows={2} mono />
      ) : null}
    </li>
  );
}
