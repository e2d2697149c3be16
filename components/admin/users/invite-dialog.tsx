"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { CheckListField } from "@/components/ui/form/check-list-field";
import { Field } from "@/components/ui/form/field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { SelectField } from "@/components/ui/form/select-field";
import { useForm } from "@/lib/client/forms/use-form";
import { groupsQuery, invitationsQuery } from "@/lib/client/users/group-queries";
import { inviteUser } from "@/lib/client/users/link-queries";
import { type CreatedLink, InviteBody } from "@/lib/schema/users/account-link";
import { ROLE_OPTIONS } from "./add-user-dialog";
import { LinkDialog } from "./link-dialog";

const NO_INVITATION: InviteBody = { email: "", role: "member", groups: [] };

/** Asks whom to invite, then shows the link to send them. A reload keeps what was typed. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const known = useQuery(groupsQuery);
  const [link, setLink] = useState<CreatedLink | null>(null);
  const form = useForm({
    subject: "invitation",
    schema: InviteBody,
    initial: NO_INVITATION,
    save: inviteUser,
    invalidates: [invitationsQuery.queryKey],
    onSaved: setLink,
  });
  if (link) {
    return (
      <LinkDialog title="Send them this link" link={link} onClose={onClose}>
        The person who opens it makes the account for this address.
      </LinkDialog>
    );
  }
  return (
    <FormDialog form={form} title="Invite a person" size="sm" submitLabel="Create link" onClose={onClose}>
      <Field of={form} name="email" label="Email" type="email" autoComplete="off" isRequired autoFocus />
      <SelectField of={form} name="role" label="Role" options={ROLE_OPTIONS} />
      {known.data?.length ? <CheckListField of={form} name="groups" label="Groups" options={known.data} /> : null}
    </FormDialog>
  );
}
