"use client";
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { Select } from "@/components/ui/controls/select";
import { TextField } from "@/components/ui/controls/text-field";
import { FormDialog } from "@/components/ui/overlays/form-dialog";
import { agentListQuery } from "@/lib/client/agents/agent-queries";
import { ApiError } from "@/lib/client/http/api";
import { allProjectsQuery } from "@/lib/client/projects/all-projects";
import { showToast } from "@/lib/client/ui/toast-store";
import { useKeptForm } from "@/lib/client/ui/use-kept-form";
import { budgetsQuery, createBudget, updateBudget } from "@/lib/client/usage/budget-queries";
import { budgetOwner, PERIOD_WORDS, readAmount, SCOPE_WORDS } from "@/lib/client/usage/budget-text";
import { groupsQuery } from "@/lib/client/users/group-queries";
import { apiKeysQuery, usersQuery } from "@/lib/client/users/user-queries";
import { BudgetPeriod, BudgetScope } from "@/lib/schema/runs/budget-ask";
import { type Budget, namesOne, OnReach } from "@/lib/schema/usage/budget";

/** A board has its budget on its own page. */
const Scope = BudgetScope.exclude(["board"]);
type Limited = z.infer<typeof Scope>;
const SCOPES = Scope.options.map((id) => ({ id, name: SCOPE_WORDS[id] }));
const PERIODS = BudgetPeriod.options.map((id) => ({ id, name: PERIOD_WORDS[id] }));
const REACH: readonly { id: OnReach; name: string; description: string }[] = [
  { id: "wait", name: "Wait", description: "Runs wait until an administrator adds to it" },
  { id: "stop", name: "Stop", description: "Runs end with a notice, /v1 answers 402" },
  { id: "warn", name: "Only show", description: "Runs go on; the budget is shown as reached" },
];

const KeptBudget = z.object({
  scope: Scope,
  scopeId: z.string().nullable(),
  period: BudgetPeriod,
  usd: z.string(),
  tokens: z.string(),
  onReach: OnReach,
});

function openedForm(budget: Budget | null): z.infer<typeof KeptBudget> {
  return {
    scope: budget && budget.scope !== "board" ? budget.scope : "user",
    scopeId: budget?.scopeId ?? null,
    period: budget?.period ?? "day",
    usd: String(budget?.usd ?? ""),
    tokens: String(budget?.tokens ?? ""),
    onReach: budget?.on_reach ?? "wait",
  };
}

/** Creates a budget, or changes one: what it limits can't be changed. A reload keeps what was typed. */
export function BudgetDialog({ budget, onClose }: { budget: Budget | null; onClose: () => void }) {
  const queryClient = useQueryClient();
  const { form, set, forget } = useKeptForm(`budget ${budget?.id ?? "new"}`, KeptBudget, openedForm(budget));
  const { scope, scopeId, period, usd, tokens, onReach } = form;
  const close = () => {
    forget();
    onClose();
  };
  const [isChecked, setChecked] = useState(false);
  const limits = { period, usd: readAmount(usd), tokens: readAmount(tokens), on_reach: onReach };
  const save = useMutation({
    mutationFn: () =>
      budget === null
        ? createBudget({ scope, ...(namesOne(scope) ? { scopeId: scopeId ?? "" } : {}), ...limits })
        : updateBudget({ id: budget.id, change: limits }),
    onSuccess: () => {
      showToast({ title: budget === null ? "Budget added" : "Budget saved" });
      void queryClient.invalidateQueries({ queryKey: budgetsQuery.queryKey });
      close();
    },
  });
  const problems = isChecked ? problemsOf({ scope, scopeId, usd: limits.usd, tokens: limits.tokens }) : {};
  const refused = save.error instanceof ApiError ? save.error.problems : new Map<string, string>();
  const problemOf = (field: string) => problems[field] ?? refused.get(field);
  const submit = () => {
    setChecked(true);
    if (Object.keys(problemsOf({ scope, scopeId, usd: limits.usd, tokens: limits.tokens })).length === 0) save.mutate();
  };
  return (
    <FormDialog
      title={budget === null ? "Add budget" : `Budget of ${budgetOwner(budget)}`}
      size="sm"
      submitLabel={budget === null ? "Add budget" : "Save budget"}
      isPending={save.isPending}
      error={refused.size > 0 ? undefined : save.error}
      onSubmit={submit}
      onClose={close}
    >
      {budget === null ? (
        <>
          <Select
            label="Limits"
            options={SCOPES}
            value={scope}
            onChange={(id) => set({ scope: Scope.parse(id), scopeId: null })}
          />
          {scope === "installation" || scope === "each_user" ? null : (
            <TargetSelect
              scope={scope}
              value={scopeId}
              onChange={(id) => set({ scopeId: id })}
              problem={problemOf("scopeId")}
            />
          )}
        </>
      ) : null}
      <Select label="For" options={PERIODS} value={period} onChange={(id) => set({ period: BudgetPeriod.parse(id) })} />
      <TextField
        label="US dollars"
        inputMode="decimal"
        placeholder="No limit"
        value={usd}
        onChange={(text) => set({ usd: text })}
        isInvalid={problemOf("usd") !== undefined}
        errorMessage={problemOf("usd")}
      />
      <TextField
        label="Tokens"
        inputMode="numeric"
        placeholder="No limit"
        description="Also holds for models without a known price."
        value={tokens}
        onChange={(text) => set({ tokens: text })}
        isInvalid={problemOf("tokens") !== undefined}
        errorMessage={problemOf("tokens")}
      />
      <Select
        label="At the cap"
        options={REACH}
        value={onReach}
        onChange={(id) => set({ onReach: REACH.find((way) => way.id === id)?.id ?? "wait" })}
      />
    </FormDialog>
  );
}

interface Limits {
  readonly scope: Limited;
  readonly scopeId: string | null;
  readonly usd: number | null;
  readonly tokens: number | null;
}

function problemsOf({ scope, scopeId, usd, tokens }: Limits): Record<string, string> {
  const problems: Record<string, string> = {};
  if (namesOne(scope) && scopeId === null) problems.scopeId = "Choose whom it limits.";
  if (usd !== null && !(usd >= 0)) problems.usd = "Write a number, such as 12.50.";
  if (tokens !== null && !(tokens >= 0 && Number.isInteger(tokens))) problems.tokens = "Write a whole number.";
  if (usd === null && tokens === null) problems.usd = "Limit dollars, tokens or both.";
  return problems;
}

interface TargetSelectProps {
  scope: Exclude<Limited, "installation" | "each_user">;
  value: string | null;
  onChange: (id: string) => void;
  problem: string | undefined;
}

function TargetSelect({ scope, value, onChange, problem }: TargetSelectProps) {
  const users = useInfiniteQuery({ ...usersQuery, enabled: scope === "user" });
  const groups = useQuery({ ...groupsQuery, enabled: scope === "group" });
  const keys = useInfiniteQuery({ ...apiKeysQuery, enabled: scope === "key" });
  const agents = useQuery({ ...agentListQuery, enabled: scope === "agent" });
  const projects = useInfiniteQuery({ ...allProjectsQuery, enabled: scope === "project" });
  const options = {
    group: (groups.data ?? []).map(({ id, name, members }) => ({
      id,
      name,
      description: members.length === 1 ? "1 person" : `${members.length} people`,
    })),
    user: (users.data ?? []).map(({ id, name, email }) => ({ id, name, description: email })),
    key: (keys.data ?? []).map(({ id, name, prefix }) => ({ id, name, description: `${prefix}…` })),
    project: (projects.data ?? []).map(({ id, name, description }) => ({ id, name, description })),
    agent: (agents.data ?? []).map(({ id, name }) => ({ id, name, description: id })),
  }[scope];
  return (
    <Select
      label={SCOPE_WORDS[scope]}
      options={options}
      value={value}
      onChange={onChange}
      isInvalid={problem !== undefined}
      errorMessage={problem}
    />
  );
}
