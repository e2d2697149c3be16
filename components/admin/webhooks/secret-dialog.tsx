"use client";
import { ShownOnceDialog } from "@/components/ui/overlays/shown-once-dialog";

export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <ShownOnceDialog
      title="The secret of the webhook"
      explanation="Copy it to the other program now. It is not shown again."
      value={secret}
      copyLabel="Copy the secret"
      onClose={onClose}
    />
  );
}
