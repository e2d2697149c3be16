"use client";
import { useQuery } from "@tanstack/react-query";
import { Select } from "@/components/ui/controls/select";
import { everyUserQuery } from "@/lib/client/users/user-queries";
import { effectiveRole, type User } from "@/lib/schema/users/user";

const AUTOMATION = { id: "", name: "Automation", description: "A built-in member who can’t sign in" };

interface RunAsSelectProps {
  /** A user's id; null for the user Automation. */
  value: string | null;
  onChange: (id: string | null) => void;
  /** The name of the person whose rights the stored webhook's runs have. */
  storedName: string | null;
  isInvalid: boolean;
  errorMessage?: string;
}

/** Chooses whose rights a webhook's runs have, among the active people who may start runs and are no administrators. */
export function RunAsSelect({ value, onChange, storedName, ...problem }: RunAsSelectProps) {
  const { data, isPending } = useQuery(everyUserQuery);
  const people = (data ?? []).filter(mayRun).map(({ id, name, email }) => ({ id, name, description: email }));
  const isKnown = value === null || people.some(({ id }) => id === value);
  const stored = isKnown ? [] : [{ id: value, name: storedName ?? value, description: "Can no longer be chosen" }];
  return (
    <Select
      label="Whose rights its runs have"
      options={[AUTOMATION, ...(isPending ? stored.map(({ id, name }) => ({ id, name })) : stored), ...people]}
      value={value ?? AUTOMATION.id}
      onChange={(id) => onChange(id === AUTOMATION.id ? null : id)}
      {...problem}
    />
  );
}

function mayRun({ role, groupRole, deactivatedAt, erasedAt }: User): boolean {
  return deactivatedAt === null && erasedAt === null && effectiveRole(role, groupRole) === "member";
}
