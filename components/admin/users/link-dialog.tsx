"use client";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Mail } from "lucide-react";
import { Button } from "@/components/ui/controls/button";
import { ShownOnceDialog } from "@/components/ui/overlays/shown-once-dialog";
import { TimeLeft } from "@/components/ui/time";
import { errorMessage } from "@/lib/client/http/api";
import { settingsQuery } from "@/lib/client/settings/settings-queries";
import { sendLink } from "@/lib/client/users/link-queries";
import type { CreatedLink } from "@/lib/schema/users/account-link";

export interface LinkDialogProps {
  title: string;
  /** Explains what the link allows. */
  children: string;
  link: CreatedLink;
  onClose: () => void;
}

/** A link that is shown only this once. */
export function LinkDialog({ title, children, link, onClose }: LinkDialogProps) {
  const { url, expiresAt } = link;
  return (
    <ShownOnceDialog
      title={title}
      explanation={
        <>
          {children} It works once and expires in <TimeLeft until={expiresAt} />. It is not shown again.
        </>
      }
      value={url}
      copyLabel="Copy the link"
      onClose={onClose}
    >
      <SendByMail link={link} />
    </ShownOnceDialog>
  );
}

/** Offered if a mail server is set up; the server's answer is shown. */
function SendByMail({ link }: { link: CreatedLink }) {
  const settings = useQuery(settingsQuery);
  const send = useMutation({ mutationFn: () => sendLink(link) });
  if (!settings.data?.smtp) return null;
  const { data: sent, error } = send;
  const problem = error ? errorMessage(error) : sent?.error;
  return (
    <div className="mt-3">
      {sent?.ok ? (
        <p role="status" className="text-sm">
          Sent to {sent.to}. The mail server said: <span className="font-mono text-xs">{sent.answer}</span>
        </p>
      ) : (
        <Button onPress={() => send.mutate()} isPending={send.isPending}>
          <Mail aria-hidden /> Send by email
        </Button>
      )}
      {problem ? (
        <p role="alert" className="mt-2 text-sm break-words text-fail-text">
          {problem}
        </p>
      ) : null}
    </div>
  );
}
