"use client";
import { useQueryClient } from "@tanstack/react-query";
import { z } from "zod";
import { AccountForm } from "@/components/auth/account-form";
import { Select } from "@/components/ui/controls/select";
import { Dialog } from "@/components/ui/overlays/dialog";
import { showToast } from "@/lib/client/ui/toast-store";
import { useKeptForm } from "@/lib/client/ui/use-kept-form";
import { createUser, usersQuery } from "@/lib/client/users/user-queries";
import { Role } from "@/lib/schema/users/user";

export const ROLE_OPTIONS = [
  { id: "viewer", name: "Viewer", description: "Reads shared projects and threads" },
  { id: "member", name: "Member", description: "Also chats and runs agents" },
  { id: "admin", name: "Admin", description: "Also manages agents and users, and reads everyone's traces" },
];

const FIELDS = [
  { name: "name", label: "Name", autoComplete: "off" },
  { name: "email", label: "Email", type: "email", autoComplete: "off" },
  {
    name: "password",
    label: "First password",
    type: "password",
    autoComplete: "new-password",
    minLength: 12,
    description: "At least 12 characters. Share it with them; they can change it.",
  },
] as const;

const KeptUser = z.object({ name: z.string(), email: z.string(), role: Role });
const NO_USER: z.infer<typeof KeptUser> = { name: "", email: "", role: "member" };

/** Creates an account. A reload keeps what was typed, except the password. */
export function AddUserDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient();
  const { form, set, forget } = useKeptForm("new-user", KeptUser, NO_USER);
  const { name, email, role } = form;
  const close = () => {
    forget();
    onClose();
  };
  return (
    <Dialog title="Add user" isOpen onClose={close} size="sm">
      <AccountForm
        fields={FIELDS}
        action="Add user"
        onCancel={close}
        opened={{ name, email }}
        onValues={(typed) => set({ name: typed.name ?? "", email: typed.email ?? "" })}
        onSubmit={(values) => createUser({ ...values, role })}
        onDone={() => {
          close();
          showToast({ title: "User added" });
          void queryClient.invalidateQueries({ queryKey: usersQuery.queryKey });
        }}
      >
        <Select label="Role" options={ROLE_OPTIONS} value={role} onChange={(id) => set({ role: Role.parse(id) })} />
      </AccountForm>
    </Dialog>
  );
}
