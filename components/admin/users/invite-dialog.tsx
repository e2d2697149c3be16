"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { AccountForm } from "@/components/auth/account-form";
import { CheckList } from "@/components/ui/controls/check-list";
import { Select } from "@/components/ui/controls/select";
import { Dialog } from "@/components/ui/overlays/dialog";
import { groupsQuery, invitationsQuery } from "@/lib/client/users/group-queries";
import { inviteUser } from "@/lib/client/users/link-queries";
import type { CreatedLink } from "@/lib/schema/users/account-link";
import { Role } from "@/lib/schema/users/user";
import { ROLE_OPTIONS } from "./add-user-dialog";
import { LinkDialog } from "./link-dialog";

const FIELDS = [{ name: "email", label: "Email", type: "email", autoComplete: "off" }] as const;

/** Asks whom to invite, then shows the link to send them. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [role, setRole] = useState<Role>("member");
  const queryClient = useQueryClient();
  const known = useQuery(groupsQuery);
  const [groups, setGroups] = useState<string[]>([]);
  const [link, setLink] = useState<CreatedLink | null>(null);
  if (link) {
    return (
      <LinkDialog title="Send them this link" link={link} onClose={onClose}>
        The person who opens it makes the account for this address.
      </LinkDialog>
    );
  }
  return (
    <Dialog title="Invite a person" isOpen onClose={onClose} size="sm">
      <AccountForm
        fields={FIELDS}
        action="Create link"
        onCancel={onClose}
        onSubmit={async ({ email }) => setLink(await inviteUser({ email, role, groups }))}
        onDone={() => void queryClient.invalidateQueries({ queryKey: invitationsQuery.queryKey })}
      >
        <Select label="Role" options={ROLE_OPTIONS} value={role} onChange={(id) => setRole(Role.parse(id))} />
        {known.data?.length ? (
          <CheckList label="Groups" options={known.data} value={groups} onChange={setGroups} />
        ) : null}
      </AccountForm>
    </Dialog>
  );
}
