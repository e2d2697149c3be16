"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "@/components/ui/controls/button";
import { QueryState } from "@/components/ui/states/query-state";
import { EmptyState } from "@/components/ui/states/state-block";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { Tag } from "@/components/ui/tag";
import { TimeLeft } from "@/components/ui/time";
import { errorMessage } from "@/lib/client/http/api";
import { showToast } from "@/lib/client/ui/toast-store";
import { groupsQuery, invitationsQuery, renewInvitation, revokeInvitation } from "@/lib/client/users/group-queries";
import type { CreatedLink } from "@/lib/schema/users/account-link";
import { LinkDialog } from "./link-dialog";

const COLUMNS = [
  { id: "email", label: "For", className: "w-full" },
  { id: "role", label: "Role", className: "max-sm:hidden" },
  { id: "by", label: "Invited by", className: "max-md:hidden" },
  { id: "expires", label: "Expires", align: "right", className: "max-md:hidden" },
  { id: "actions", label: "Actions", align: "right", isLabelHidden: true },
] as const;

/** People who have been invited and have not joined yet. */
export function InvitationsTab({ onInvite }: { onInvite: () => void }) {
  const queryClient = useQueryClient();
  const invitations = useQuery(invitationsQuery);
  const groups = useQuery(groupsQuery);
  const [link, setLink] = useState<CreatedLink | null>(null);
  const settled = {
    onSettled: () => queryClient.invalidateQueries({ queryKey: invitationsQuery.queryKey }),
    onError: (error: Error) => showToast({ title: errorMessage(error), tone: "error" }),
  };
  const revoke = useMutation({ mutationFn: revokeInvitation, ...settled });
  const renew = useMutation({ mutationFn: renewInvitation, onSuccess: setLink, ...settled });
  const groupName = (id: string) => groups.data?.find((group) => group.id === id)?.name;
  return (
    <QueryState what="invitations" query={invitations}>
      {(found) =>
        found.length === 0 ? (
          <EmptyState title="No open invitations" actions={<Button onPress={onInvite}>Invite</Button>}>
            Everybody who was invited has an account, or their link has expired.
          </EmptyState>
        ) : (
          <>
            <Table label="Open invitations">
              <TableHead columns={COLUMNS} />
              <tbody>
                {found.map((invitation) => (
                  <TableRow key={invitation.id}>
                    <TableCell className="max-w-0 truncate font-medium">
                      {invitation.email}
                      {invitation.groups
                        .flatMap((id) => groupName(id) ?? [])
                        .map((name) => (
                          <Tag key={name} className="ml-2">
                            {name}
                          </Tag>
                        ))}
                      <span className="block truncate text-xs font-normal text-muted md:hidden">
                        {invitation.role}, invited by {invitation.invitedByName ?? "unknown"}
                      </span>
                    </TableCell>
                    <TableCell className="text-muted max-sm:hidden">{invitation.role}</TableCell>
                    <TableCell className="text-muted max-md:hidden">{invitation.invitedByName ?? "unknown"}</TableCell>
                    <TableCell align="right" className="text-muted max-md:hidden">
                      in <TimeLeft until={invitation.expiresAt} />
                    </TableCell>
                    <TableCell align="right">
                      <Button
                        variant="ghost"
                        aria-label={`New link for ${invitation.email}`}
                        isPending={renew.isPending && renew.variables === invitation.id}
                        onPress={() => renew.mutate(invitation.id)}
                      >
                        New link
                      </Button>
                      <Button
                        variant="danger-ghost"
                        aria-label={`Revoke the invitation of ${invitation.email}`}
                        isPending={revoke.isPending && revoke.variables === invitation.id}
                        onPress={() => revoke.mutate(invitation.id)}
                      >
                        Revoke
                      </Button>
                    </TableCell>
                  </TableRow>
                ))}
              </tbody>
            </Table>
            {link ? (
              <LinkDialog title="Send them this link" link={link} onClose={() => setLink(null)}>
                The person who opens it makes the account for this address. The link that you sent before no longer
                works.
              </LinkDialog>
            ) : null}
          </>
        )
      }
    </QueryState>
  );
}
