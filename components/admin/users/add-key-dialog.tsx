"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { CheckListField } from "@/components/ui/form/check-list-field";
import { Field } from "@/components/ui/form/field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { SelectField } from "@/components/ui/form/select-field";
import { ShownOnceDialog } from "@/components/ui/overlays/shown-once-dialog";
import { agentListQuery } from "@/lib/client/agents/agent-queries";
import { formSchema } from "@/lib/client/forms/typed";
import { useForm } from "@/lib/client/forms/use-form";
import { serverNowMs } from "@/lib/client/http/server-clock";
import { groupsQuery } from "@/lib/client/users/group-queries";
import { apiKeysQuery, createApiKey } from "@/lib/client/users/user-queries";
import { CreateApiKeyBody, type CreatedApiKey } from "@/lib/schema/users/api-key";
import { Scope } from "@/lib/schema/users/user";

const SCOPE_LABELS: Record<Scope, string> = {
  read: "Read: look at threads, runs and traces",
  chat: "Chat: start and cancel runs, upload files",
  admin: "Admin: everything your role allows",
};

const DAY_MS = 86_400_000;
const EXPIRIES = [
  { id: "30", name: "In 30 days" },
  { id: "90", name: "In 90 days" },
  { id: "365", name: "In a year" },
  { id: "never", name: "Never" },
];

const ALL = "all";
const SOME = "some";
const REACHES = [
  { id: ALL, name: "All that you may use" },
  { id: SOME, name: "Only those named here" },
];

/** An agent is named only if only some are meant. */
const KeyForm = z
  .object({
    name: z.string(),
    scopes: z.array(Scope),
    reach: z.string(),
    agents: z.array(z.string()),
    expiry: z.string(),
  })
  .refine(({ reach, agents }) => reach !== SOME || agents.length > 0, {
    path: ["agents"],
    message: "Choose at least one agent.",
  });

const NewKeyBody = formSchema(
  KeyForm,
  ({ name, scopes, reach, agents, expiry }) => ({
    name,
    scopes,
    ...(reach === SOME ? { agents } : reach === ALL ? {} : { groupId: reach }),
    expiresAt: expiry === "never" ? null : new Date(serverNowMs() + Number(expiry) * DAY_MS).toISOString(),
  }),
  CreateApiKeyBody,
);

/** Creates a key and shows it, only this once. A reload keeps what was typed before. */
export function AddKeyDialog({ scopes, onClose }: { scopes: readonly Scope[]; onClose: () => void }) {
  const agents = useQuery(agentListQuery);
  const groups = useQuery({ ...groupsQuery, enabled: scopes.includes("admin") });
  const groupOptions = (groups.data ?? []).map(({ id, name }) => ({ id, name: `Those of the group ${name}` }));
  const [made, setMade] = useState<CreatedApiKey | null>(null);
  const form = useForm({
    subject: "new-key",
    schema: NewKeyBody,
    initial: { name: "", expiry: "90", reach: ALL, agents: [], scopes: scopes.filter((scope) => scope !== "admin") },
    save: createApiKey,
    invalidates: [apiKeysQuery.queryKey],
    onSaved: setMade,
  });
  if (made) return <NewKey apiKey={made.key} onClose={onClose} />;
  return (
    <FormDialog form={form} title="Create an API key" size="sm" submitLabel="Create key" onClose={onClose}>
      <Field of={form} name="name" label="Name" placeholder="Which program uses it" autoFocus />
      <CheckListField
        of={form}
        name="scopes"
        label="What it may do"
        options={scopes.map((scope) => ({ id: scope, name: SCOPE_LABELS[scope] }))}
      />
      <SelectField of={form} name="reach" label="Agents it may use" options={[...REACHES, ...groupOptions]} />
      {form.values.reach === SOME ? (
        <CheckListField
          of={form}
          name="agents"
          label="These agents"
          options={(agents.data ?? []).map(({ id, name }) => ({ id, name, hint: id }))}
        />
      ) : null}
      <SelectField of={form} name="expiry" label="Expires" options={EXPIRIES} />
    </FormDialog>
  );
}

function NewKey({ apiKey, onClose }: { apiKey: string; onClose: () => void }) {
  return (
    <ShownOnceDialog
      title="Copy the key now"
      explanation="It is shown only once. Anyone who has it can act as you, within its scopes."
      value={apiKey}
      copyLabel="Copy the key"
      onClose={onClose}
    />
  );
}
