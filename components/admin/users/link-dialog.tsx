import { Button } from "@/components/ui/controls/button";
import { CopyButton } from "@/components/ui/controls/copy-button";
import { Dialog } from "@/components/ui/overlays/dialog";
import { TimeLeft } from "@/components/ui/time";
import type { CreatedLink } from "@/lib/schema/users/account-link";

export interface LinkDialogProps {
  title: string;
  /** What whoever has the link can do. */
  children: string;
  link: CreatedLink;
  onClose: () => void;
}

/** A link that is shown this once. */
export function LinkDialog({ title, children, link: { url, expiresAt }, onClose }: LinkDialogProps) {
  return (
    <Dialog
      title={title}
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
      <p className="text-sm text-muted">
        {children} It works once and expires in <TimeLeft until={expiresAt} />. It is not shown again.
      </p>
      <div className="mt-3 flex items-center gap-2 rounded-md border border-border bg-code py-1 pr-1 pl-3">
        <code className="min-w-0 flex-1 text-xs break-all">{url}</code>
        <CopyButton text={url} label="Copy the link" size="sm" />
      </div>
    </Dialog>
  );
}
