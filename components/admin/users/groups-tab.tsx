"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "@/components/ui/controls/button";
import { ConfirmDialog } from "@/components/ui/overlays/dialog";
import { QueryState } from "@/components/ui/states/query-state";
import { EmptyState } from "@/components/ui/states/state-block";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { errorMessage } from "@/lib/client/http/api";
import { showToast } from "@/lib/client/ui/toast-store";
import { deleteGroup, groupsQuery } from "@/lib/client/users/group-queries";
import { everyUserQuery, usersQuery } from "@/lib/client/users/user-queries";
import type { Group } from "@/lib/schema/users/group";
import { GroupDialog } from "./group-dialog";
import { openedAgents } from "./opened-agents";

const COLUMNS = [
  { id: "name", label: "Group" },
  { id: "members", label: "Members", className: "w-1/2 max-md:hidden" },
  { id: "agents", label: "Only they use", className: "w-1/2 max-md:hidden" },
  { id: "floor", label: "Role at least", className: "max-sm:hidden" },
  { id: "actions", label: "Actions", align: "right", isLabelHidden: true },
] as const;

/** The groups of people, and which agents are for them alone. */
export function GroupsTab({ onAdd }: { onAdd: () => void }) {
  const groups = useQuery(groupsQuery);
  return (
    <QueryState what="groups" query={groups}>
      {(found) =>
        found.length === 0 ? (
          <EmptyState title="No groups" actions={<Button onPress={onAdd}>New group</Button>}>
            Every agent is for everybody. Put an agent into a group, and only its members and administrators can use it.
          </EmptyState>
        ) : (
          <GroupTable groups={found} />
        )
      }
    </QueryState>
  );
}

function GroupTable({ groups }: { groups: readonly Group[] }) {
  const queryClient = useQueryClient();
  const users = useQuery(everyUserQuery);
  const [changed, setChanged] = useState<Group | null>(null);
  const [leaving, setLeaving] = useState<{ group: Group; opened: string[] | null } | null>(null);
  const remove = useMutation({
    mutationFn: deleteGroup,
    onSuccess: () => {
      setLeaving(null);
      void queryClient.invalidateQueries({ queryKey: usersQuery.queryKey });
    },
    onError: (error, { id }) => {
      const opened = openedAgents(error);
      const group = groups.find((one) => one.id === id);
      if (opened && group) setLeaving({ group, opened });
      else showToast({ title: errorMessage(error), tone: "error" });
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: groupsQuery.queryKey }),
  });
  const nameOf = (id: string) => users.data?.find((user) => user.id === id)?.name ?? id;
  return (
    <>
      <Table label="Groups">
        <TableHead columns={COLUMNS} />
        <tbody>
          {groups.map((group) => (
            <TableRow key={group.id}>
              <TableCell className="max-w-56 truncate font-medium">
                {group.name}
                <span className="block truncate text-xs font-normal text-muted md:hidden">
                  {group.members.length === 1 ? "1 member" : `${group.members.length} members`}
                  {group.agents.length === 0 ? "" : `, only they use ${group.agents.join(", ")}`}
                </span>
              </TableCell>
              <TableCell className="max-w-0 truncate text-muted max-md:hidden">
                {group.members.length === 0 ? "no members" : group.members.map(nameOf).join(", ")}
              </TableCell>
              <TableCell className="max-w-0 truncate font-mono text-xs text-muted max-md:hidden">
                {group.agents.join(", ")}
              </TableCell>
              <TableCell className="text-muted max-sm:hidden">{group.roleFloor}</TableCell>
              <TableCell align="right">
                <Button variant="ghost" aria-label={`Edit ${group.name}`} onPress={() => setChanged(group)}>
                  Edit
                </Button>
                <Button
                  variant="danger-ghost"
                  aria-label={`Delete ${group.name}`}
                  onPress={() => setLeaving({ group, opened: null })}
                >
                  Delete
                </Button>
              </TableCell>
            </TableRow>
          ))}
        </tbody>
      </Table>
      {changed ? <GroupDialog group={changed} onClose={() => setChanged(null)} /> : null}
      <ConfirmDialog
        key={leaving?.opened?.join() ?? ""}
        title={leaving?.opened ? `Open ${leaving.opened.join(", ")} to everybody?` : `Delete ${leaving?.group.name}?`}
        confirmLabel={leaving?.opened ? "Delete and open to everybody" : "Delete group"}
        isOpen={leaving !== null}
        onConfirm={() => leaving && remove.mutate({ id: leaving.group.id, open: leaving.opened !== null })}
        onClose={() => setLeaving(null)}
      >
        {leaving?.opened
          ? `${leaving.group.name} is the last group of ${leaving.opened.join(", ")}. Without it everybody can use ${leaving.opened.length === 1 ? "this agent" : "these agents"}.`
          : "Its members keep their accounts and their work."}
      </ConfirmDialog>
    </>
  );
}
