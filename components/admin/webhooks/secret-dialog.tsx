"use client";
import { Button } from "@/components/ui/controls/button";
import { CopyButton } from "@/components/ui/controls/copy-button";
import { Dialog } from "@/components/ui/overlays/dialog";

/** A secret that is shown only this once. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog
      title="The secret of the webhook"
      isOpen
      stays
      onClose={onClose}
      size="sm"
      actions={
        <Button variant="primary" onPress={onClose}>
          Done
        </Button>
      }
    >
      <p className="text-sm text-muted">Copy it to the other program now. It is not shown again.</p>
      <div className="mt-3 flex items-center gap-2 rounded-md border border-border bg-code py-1 pr-1 pl-3">
        <code className="min-w-0 flex-1 text-xs break-all">{secret}</code>
        <CopyButton text={secret} label="Copy the secret" size="sm" />
      </div>
    </Dialog>
  );
}
