"use client";
import { useQuery } from "@tanstack/react-query";
import { SelectField } from "@/components/ui/form/select-field";
import type { Form } from "@/lib/client/forms/use-form";
import { everyUserQuery } from "@/lib/client/users/user-queries";
import type { WebhookForm } from "@/lib/client/webhooks/webhook-form";
import { effectiveRole, type User } from "@/lib/schema/users/user";

const AUTOMATION = { id: "", name: "Automation", description: "A built-in member who can’t sign in" };

interface RunAsFieldProps {
  form: Form<WebhookForm>;
  /** The name of the person whose rights the stored webhook's runs have. */
  storedName: string | null;
}

/** Chooses whose rights a webhook's runs have, among the active people who may start runs and are no administrators. */
export function RunAsField({ form, storedName }: RunAsFieldProps) {
  const { data, isPending } = useQuery(everyUserQuery);
  const { runAs } = form.values;
  const people = (data ?? []).filter(mayRun).map(({ id, name, email }) => ({ id, name, description: email }));
  const isKnown = runAs === AUTOMATION.id || people.some(({ id }) => id === runAs);
  const stored = isKnown ? [] : [{ id: runAs, name: storedName ?? runAs, description: "Can no longer be chosen" }];
  return (
    <SelectField
      of={form}
      name="runAs"
      label="Whose rights its runs have"
      options={[AUTOMATION, ...(isPending ? stored.map(({ id, name }) => ({ id, name })) : stored), ...people]}
      onChosen={(id) => {
        if (id === AUTOMATION.id) form.set("on_ask", "deny");
      }}
    />
  );
}

function mayRun({ role, groupRole, deactivatedAt, erasedAt }: User): boolean {
  return deactivatedAt === null && erasedAt === null && effectiveRole(role, groupRole) === "member";
}
