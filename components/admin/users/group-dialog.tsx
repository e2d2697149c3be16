"use client";
import { useQuery } from "@tanstack/react-query";
import { z } from "zod";
import { CheckListField } from "@/components/ui/form/check-list-field";
import { Field } from "@/components/ui/form/field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { SelectField } from "@/components/ui/form/select-field";
import { agentListQuery } from "@/lib/client/agents/agent-queries";
import { useForm } from "@/lib/client/forms/use-form";
import { createGroup, groupsQuery, updateGroup } from "@/lib/client/users/group-queries";
import { everyUserQuery, usersQuery } from "@/lib/client/users/user-queries";
import { CreateGroupBody, type Group } from "@/lib/schema/users/group";
import { Role } from "@/lib/schema/users/user";
import { ROLE_OPTIONS } from "./add-user-dialog";
import { openedAgents } from "./opened-agents";

const NO_FLOOR = "none";
const FLOORS = [
  { id: NO_FLOOR, name: "As each person's own", description: "The group changes no role" },
  ...ROLE_OPTIONS.map(({ id, name }) => ({ id, name: `At least ${name}` })),
];

const GroupForm = CreateGroupBody.extend({
  roleFloor: z
    .string()
    .transform((floor) => (floor === NO_FLOOR ? null : floor))
    .pipe(Role.nullable()),
});

/** Creates a group, or changes one. A reload keeps what was typed. */
export function GroupDialog({ group, onClose }: { group: Group | null; onClose: () => void }) {
  const users = useQuery(everyUserQuery);
  const agents = useQuery(agentListQuery);
  const form = useForm({
    subject: `group ${group?.id ?? "new"}`,
    schema: GroupForm,
    initial: {
      name: group?.name ?? "",
      roleFloor: group?.roleFloor ?? NO_FLOOR,
      members: [...(group?.members ?? [])],
      agents: [...(group?.agents ?? [])],
    },
    save: (body) =>
      group === null ? createGroup(body) : updateGroup(group.id, { ...body, ...(opened ? { open: true } : {}) }),
    invalidates: [groupsQuery.queryKey, usersQuery.queryKey],
    onSaved: onClose,
  });
  const opened = openedAgents(form.refusal);
  return (
    <FormDialog
      form={{ ...form, error: opened ? null : form.error }}
      title={group === null ? "New group" : `Group ${group.name}`}
      submitLabel={opened ? "Save and open to everybody" : group === null ? "Create group" : "Save"}
      after={
        opened ? (
          <p role="alert" className="mt-3 rounded-md bg-limit-soft px-2.5 py-1.5 text-sm">
            This is the last group of {opened.join(", ")}. Everybody can use{" "}
            {opened.length === 1 ? "this agent" : "these agents"} once you save.
          </p>
        ) : null
      }
      onClose={onClose}
    >
      <Field of={form} name="name" label="Name" autoFocus />
      <SelectField of={form} name="roleFloor" label="Role of its members" options={FLOORS} />
      <div className="grid gap-3 sm:grid-cols-2">
        <CheckListField
          of={form}
          name="members"
          label="Members"
          options={(users.data ?? [])
            .filter(({ deactivatedAt }) => deactivatedAt === null)
            .map(({ id, name, email }) => ({ id, name, hint: email }))}
        />
        <CheckListField
          of={form}
          name="agents"
          label="Agents that only groups may use"
          options={(agents.data ?? []).map(({ id, name }) => ({ id, name, hint: id }))}
        />
      </div>
    </FormDialog>
  );
}
