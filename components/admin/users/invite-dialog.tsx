"use client";
import { useState } from "react";
import { AccountForm } from "@/components/auth/account-form";
import { Select } from "@/components/ui/controls/select";
import { Dialog } from "@/components/ui/overlays/dialog";
import { inviteUser } from "@/lib/client/users/link-queries";
import type { CreatedLink } from "@/lib/schema/users/account-link";
import { Role } from "@/lib/schema/users/user";
import { ROLE_OPTIONS } from "./add-user-dialog";
import { LinkDialog } from "./link-dialog";

const FIELDS = [{ name: "email", label: "Email", type: "email", autoComplete: "off" }] as const;

/** Asks whom to invite, then shows the link to send them. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [role, setRole] = useState<Role>("member");
  const [link, setLink] = useState<CreatedLink | null>(null);
  if (link) {
    return (
      <LinkDialog title="Send them this link" link={link} onClose={onClose}>
        Whoever opens it makes the account for this address.
      </LinkDialog>
    );
  }
  return (
    <Dialog title="Invite somebody" isOpen onClose={onClose} size="sm">
      <AccountForm
        fields={FIELDS}
        action="Create link"
        onCancel={onClose}
        onSubmit={async ({ email }) => setLink(await inviteUser({ email, role }))}
        onDone={() => undefined}
      >
        <Select label="Role" options={ROLE_OPTIONS} value={role} onChange={(id) => setRole(Role.parse(id))} />
      </AccountForm>
    </Dialog>
  );
}
