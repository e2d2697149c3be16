"use client";
import { Field } from "@/components/ui/form/field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { SelectField } from "@/components/ui/form/select-field";
import { useForm } from "@/lib/client/forms/use-form";
import { showToast } from "@/lib/client/ui/toast-store";
import { createUser, usersQuery } from "@/lib/client/users/user-queries";
import { CreateUserBody } from "@/lib/schema/users/user";

export const ROLE_OPTIONS = [
  { id: "viewer", name: "Viewer", description: "Reads shared projects and threads" },
  { id: "member", name: "Member", description: "Also chats and runs agents" },
  { id: "admin", name: "Admin", description: "Also manages agents and users, and reads everyone's traces" },
];

const NO_USER: CreateUserBody = { name: "", email: "", password: "", role: "member" };

/** Creates an account. A reload keeps what was typed, except the password. */
export function AddUserDialog({ onClose }: { onClose: () => void }) {
  const form = useForm({
    subject: "new-user",
    schema: CreateUserBody,
    initial: NO_USER,
    save: createUser,
    invalidates: [usersQuery.queryKey],
    onSaved: () => {
      onClose();
      showToast({ title: "User added" });
    },
  });
  return (
    <FormDialog form={form} title="Add user" size="sm" submitLabel="Add user" onClose={onClose}>
      <Field of={form} name="name" label="Name" autoComplete="off" isRequired autoFocus />
      <Field of={form} name="email" label="Email" type="email" autoComplete="off" isRequired />
      <Field
        of={form}
        name="password"
        label="First password"
        autoComplete="new-password"
        isRequired
        description="At least 12 characters. Share it with them; they can change it."
      />
      <SelectField of={form} name="role" label="Role" options={ROLE_OPTIONS} />
    </FormDialog>
  );
}
