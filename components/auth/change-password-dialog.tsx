"use client";
import { Dialog } from "@/components/ui/overlays/dialog";
import { showToast } from "@/lib/client/ui/toast-store";
import { changePassword } from "@/lib/client/users/account";
import { AccountForm } from "./account-form";

const FIELDS = [
  { name: "currentPassword", label: "Current password", type: "password", autoComplete: "current-password" },
  {
    name: "newPassword",
    label: "New password",
    type: "password",
    autoComplete: "new-password",
    minLength: 12,
    description: "At least 12 characters. Every other session ends.",
  },
] as const;

export function ChangePasswordDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog title="Change password" isOpen={isOpen} onClose={onClose} size="sm">
      <AccountForm
        fields={FIELDS}
        action="Change password"
        onCancel={onClose}
        onSubmit={changePassword}
        onDone={() => {
          showToast({ title: "Password changed", description: "Other sessions have been ended." });
          onClose();
        }}
      />
    </Dialog>
  );
}
