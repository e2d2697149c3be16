"use client";
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { z } from "zod";
import { CheckList } from "@/components/ui/controls/check-list";
import { Select } from "@/components/ui/controls/select";
import { TextField } from "@/components/ui/controls/text-field";
import { FormDialog } from "@/components/ui/overlays/form-dialog";
import { agentListQuery } from "@/lib/client/agents/agent-queries";
import { ApiError } from "@/lib/client/http/api";
import { useKeptForm } from "@/lib/client/ui/use-kept-form";
import { createGroup, groupsQuery, updateGroup } from "@/lib/client/users/group-queries";
import { usersQuery } from "@/lib/client/users/user-queries";
import type { Group } from "@/lib/schema/users/group";
import { Role } from "@/lib/schema/users/user";
import { ROLE_OPTIONS } from "./add-user-dialog";
import { openedAgents } from "./opened-agents";

const NO_FLOOR = "none";
const FLOORS = [
  { id: NO_FLOOR, name: "As each person's own", description: "The group changes no role" },
  ...ROLE_OPTIONS.map(({ id, name }) => ({ id, name: `At least ${name}` })),
];

const KeptGroup = z.object({
  name: z.string(),
  floor: z.string(),
  members: z.array(z.string()),
  chosen: z.array(z.string()),
});

/** Creates a group, or changes one. A reload keeps what was typed. */
export function GroupDialog({ group, onClose }: { group: Group | null; onClose: () => void }) {
  const queryClient = useQueryClient();
  const users = useInfiniteQuery(usersQuery);
  const agents = useQuery(agentListQuery);
  const { form, set, forget } = useKeptForm(`group ${group?.id ?? "new"}`, KeptGroup, {
    name: group?.name ?? "",
    floor: group?.roleFloor ?? NO_FLOOR,
    members: [...(group?.members ?? [])],
    chosen: [...(group?.agents ?? [])],
  });
  const { name, floor, members, chosen } = form;
  const close = () => {
    forget();
    onClose();
  };
  const save = useMutation({
    mutationFn: (open: boolean) => {
      const body = {
        name,
        members,
        agents: chosen,
        roleFloor: floor === NO_FLOOR ? null : Role.parse(floor),
      };
      return group === null ? createGroup(body) : updateGroup(group.id, { ...body, ...(open ? { open } : {}) });
    },
    onSuccess: () => {
      close();
      void queryClient.invalidateQueries({ queryKey: groupsQuery.queryKey });
      void queryClient.invalidateQueries({ queryKey: usersQuery.queryKey });
    },
  });
  const opened = openedAgents(save.error);
  const problems = save.error instanceof ApiError ? save.error.problems : new Map<string, string>();
  return (
    <FormDialog
      title={group === null ? "New group" : `Group ${group.name}`}
      submitLabel={opened ? "Save and open to everybody" : group === null ? "Create group" : "Save"}
      isValid={name.trim() !== ""}
      isPending={save.isPending}
      error={problems.size > 0 || opened ? null : save.error}
      after={
        opened ? (
          <p role="alert" className="mt-3 rounded-md bg-limit-soft px-2.5 py-1.5 text-sm">
            This is the last group of {opened.join(", ")}. Everybody can use{" "}
            {opened.length === 1 ? "this agent" : "these agents"} once you save.
          </p>
        ) : null
      }
      onSubmit={() => save.mutate(opened !== null)}
      onClose={close}
    >
      <TextField
        label="Name"
        value={name}
        onChange={(text) => set({ name: text })}
        autoFocus
        isInvalid={problems.has("name") || undefined}
        errorMessage={problems.get("name")}
      />
      <Select label="Role of its members" options={FLOORS} value={floor} onChange={(id) => set({ floor: id })} />
      <div className="grid gap-3 sm:grid-cols-2">
        <CheckList
          label="Members"
          options={(users.data ?? [])
            .filter(({ deactivatedAt }) => deactivatedAt === null)
            .map((user) => ({ id: user.id, name: user.name, hint: user.email }))}
          value={members}
          onChange={(ids) => set({ members: [...ids] })}
          errorMessage={problemUnder("members", problems)}
        />
        <CheckList
          label="Agents that only groups may use"
          options={(agents.data ?? []).map((agent) => ({ id: agent.id, name: agent.name, hint: agent.id }))}
          value={chosen}
          onChange={(ids) => set({ chosen: [...ids] })}
          errorMessage={problemUnder("agents", problems)}
        />
      </div>
    </FormDialog>
  );
}

function problemUnder(field: string, problems: ReadonlyMap<string, string>): string | undefined {
  return [...problems].find(([path]) => path.startsWith(`${field}.`))?.[1];
}
