"use client";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { z } from "zod";
import { BudgetWhatIfLine } from "@/components/permissions/what-if-line";
import { Field } from "@/components/ui/form/field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { SelectField } from "@/components/ui/form/select-field";
import { agentListQuery } from "@/lib/client/agents/agent-queries";
import { formSchema, typedAmount } from "@/lib/client/forms/typed";
import { type Form, useForm } from "@/lib/client/forms/use-form";
import { allProjectsQuery } from "@/lib/client/projects/all-projects";
import { showToast } from "@/lib/client/ui/toast-store";
import { budgetsQuery, createBudget, updateBudget } from "@/lib/client/usage/budget-queries";
import { budgetOwner, PERIOD_LABELS, SCOPE_LABELS } from "@/lib/client/usage/budget-text";
import { groupsQuery } from "@/lib/client/users/group-queries";
import { apiKeysQuery, everyUserQuery } from "@/lib/client/users/user-queries";
import { BudgetPeriod, BudgetScope } from "@/lib/schema/runs/budget-ask";
import { type Budget, CreateBudgetBody, namesOne, OnReach, UpdateBudgetBody } from "@/lib/schema/usage/budget";

/** A board has its budget on its own page. */
const Scope = BudgetScope.exclude(["board"]);
const SCOPES = Scope.options.map((id) => ({ id, name: SCOPE_LABELS[id] }));
const PERIODS = BudgetPeriod.options.map((id) => ({ id, name: PERIOD_LABELS[id] }));
const REACH: readonly { id: OnReach; name: string; description: string }[] = [
  { id: "wait", name: "Wait", description: "Runs wait until an administrator adds to it" },
  { id: "stop", name: "Stop", description: "Runs end with a notice, /v1 answers 402" },
  { id: "warn", name: "Only show", description: "Runs go on; the budget is shown as reached" },
];

const NUMBER = "Write a number, such as 12.50.";
const WHOLE_NUMBER = "Write a whole number.";

const Target = z
  .object({ scope: Scope, scopeId: z.string() })
  .refine(({ scope, scopeId }) => !namesOne(scope) || scopeId !== "", {
    path: ["scopeId"],
    message: "Choose whom it limits.",
  });
const Limits = z
  .object({
    period: BudgetPeriod,
    usd: typedAmount(z.number(NUMBER).min(0, NUMBER).nullable()),
    tokens: typedAmount(z.number(WHOLE_NUMBER).int(WHOLE_NUMBER).min(0, WHOLE_NUMBER).nullable()),
    on_reach: OnReach,
  })
  .refine(({ usd, tokens }) => usd !== null || tokens !== null, {
    path: ["usd"],
    message: "Limit dollars, tokens or both.",
  });
/** Two halves, so that the problems of one do not hide those of the other. */
const BudgetForm = z.intersection(Target, Limits);
type BudgetForm = z.input<typeof BudgetForm>;

const NewBudget = formSchema(
  BudgetForm,
  ({ scopeId, ...limits }) => ({ ...limits, ...(namesOne(limits.scope) ? { scopeId } : {}) }),
  CreateBudgetBody,
);
const ChangedBudget = formSchema(BudgetForm, ({ scope: _, scopeId: __, ...limits }) => limits, UpdateBudgetBody);

function formOf(budget: Budget | null): BudgetForm {
  return {
    scope: budget && budget.scope !== "board" ? budget.scope : "user",
    scopeId: budget?.scopeId ?? "",
    period: budget?.period ?? "day",
    usd: String(budget?.usd ?? ""),
    tokens: String(budget?.tokens ?? ""),
    on_reach: budget?.on_reach ?? "wait",
  };
}

/** Creates a budget, or changes one: what it limits can't be changed. A reload keeps what was typed. */
export function BudgetDialog({ budget, onClose }: { budget: Budget | null; onClose: () => void }) {
  const form = useForm({
    subject: `budget ${budget?.id ?? "new"}`,
    schema: budget === null ? NewBudget : ChangedBudget,
    initial: formOf(budget),
    save: (body: CreateBudgetBody | UpdateBudgetBody) =>
      "scope" in body ? createBudget(body) : updateBudget({ id: budget?.id ?? "", change: body }),
    invalidates: [budgetsQuery.queryKey],
    onSaved: () => {
      showToast({ title: budget === null ? "Budget added" : "Budget saved" });
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title={budget === null ? "Add budget" : `Budget of ${budgetOwner(budget)}`}
      size="sm"
      submitLabel={budget === null ? "Add budget" : "Save budget"}
      onClose={onClose}
    >
      {budget === null ? (
        <>
          <SelectField
            of={form}
            name="scope"
            label="Limits"
            options={SCOPES}
            onChosen={() => form.set("scopeId", "")}
          />
          <TargetField form={form} />
        </>
      ) : null}
      <SelectField of={form} name="period" label="For" options={PERIODS} />
      <Field of={form} name="usd" label="US dollars" inputMode="decimal" placeholder="No limit" />
      <Field
        of={form}
        name="tokens"
        label="Tokens"
        inputMode="numeric"
        placeholder="No limit"
        description="Also holds for models without a known price."
      />
      <SelectField of={form} name="on_reach" label="At the cap" options={REACH} />
      <BudgetWhatIfLine budget={budget?.scope === "board" ? null : (NewBudget.safeParse(form.values).data ?? null)} />
    </FormDialog>
  );
}

function TargetField({ form }: { form: Form<BudgetForm> }) {
  const { scope } = form.values;
  const users = useQuery({ ...everyUserQuery, enabled: scope === "user" });
  const groups = useQuery({ ...groupsQuery, enabled: scope === "group" });
  const keys = useInfiniteQuery({ ...apiKeysQuery, enabled: scope === "key" });
  const agents = useQuery({ ...agentListQuery, enabled: scope === "agent" });
  const projects = useInfiniteQuery({ ...allProjectsQuery, enabled: scope === "project" });
  if (scope === "installation" || scope === "each_user") return null;
  const options = {
    group: groups.data?.map(({ id, name, members }) => ({
      id,
      name,
      description: members.length === 1 ? "1 person" : `${members.length} people`,
    })),
    user: users.data?.map(({ id, name, email }) => ({ id, name, description: email })),
    key: keys.data?.map(({ id, name, prefix }) => ({ id, name, description: `${prefix}…` })),
    project: projects.data?.map(({ id, name, description }) => ({ id, name, description })),
    agent: agents.data?.map(({ id, name }) => ({ id, name, description: id })),
  }[scope];
  return <SelectField of={form} name="scopeId" label={SCOPE_LABELS[scope]} options={options} />;
}
