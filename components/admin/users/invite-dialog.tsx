"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { AccountForm } from "@/components/auth/account-form";
import { CheckList } from "@/components/ui/controls/check-list";
import { Select } from "@/components/ui/controls/select";
import { Dialog } from "@/components/ui/overlays/dialog";
import { useKeptForm } from "@/lib/client/ui/use-kept-form";
import { groupsQuery, invitationsQuery } from "@/lib/client/users/group-queries";
import { inviteUser } from "@/lib/client/users/link-queries";
import type { CreatedLink } from "@/lib/schema/users/account-link";
import { Role } from "@/lib/schema/users/user";
import { ROLE_OPTIONS } from "./add-user-dialog";
import { LinkDialog } from "./link-dialog";

const FIELDS = [{ name: "email", label: "Email", type: "email", autoComplete: "off" }] as const;

const KeptInvitation = z.object({ email: z.string(), role: Role, groups: z.array(z.string()) });
const NO_INVITATION: z.infer<typeof KeptInvitation> = { email: "", role: "member", groups: [] };

/** Asks whom to invite, then shows the link to send them. A reload keeps what was typed. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { form, set, forget } = useKeptForm("invitation", KeptInvitation, NO_INVITATION);
  const { email: typedEmail, role, groups } = form;
  const queryClient = useQueryClient();
  const known = useQuery(groupsQuery);
  const [link, setLink] = useState<CreatedLink | null>(null);
  const close = () => {
    forget();
    onClose();
  };
  if (link) {
    return (
      <LinkDialog title="Send them this link" link={link} onClose={onClose}>
        The person who opens it makes the account for this address.
      </LinkDialog>
    );
  }
  return (
    <Dialog title="Invite a person" isOpen onClose={close} size="sm">
      <AccountForm
        fields={FIELDS}
        action="Create link"
        onCancel={close}
        opened={{ email: typedEmail }}
        onValues={({ email = "" }) => set({ email })}
        onSubmit={async ({ email }) => setLink(await inviteUser({ email, role, groups }))}
        onDone={() => {
          forget();
          void queryClient.invalidateQueries({ queryKey: invitationsQuery.queryKey });
        }}
      >
        <Select label="Role" options={ROLE_OPTIONS} value={role} onChange={(id) => set({ role: Role.parse(id) })} />
        {known.data?.length ? (
          <CheckList label="Groups" options={known.data} value={groups} onChange={(ids) => set({ groups: ids })} />
        ) : null}
      </AccountForm>
    </Dialog>
  );
}
