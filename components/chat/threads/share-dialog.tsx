"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/controls/button";
import { CheckList } from "@/components/ui/controls/check-list";
import { Select } from "@/components/ui/controls/select";
import { Dialog } from "@/components/ui/overlays/dialog";
import { SkeletonList } from "@/components/ui/states/skeleton";
import { Time, TimeLeft } from "@/components/ui/time";
import { revokeShare, shareQuery, shareThread } from "@/lib/client/chat/shares/share-queries";
import { errorMessage } from "@/lib/client/http/api";
import { copyText } from "@/lib/client/ui/text/copy-text";
import { showToast } from "@/lib/client/ui/toast-store";
import type { CreatedShare, ShareInclude, ShareSummary } from "@/lib/schema/threads/share";

const INCLUDES = [
  { id: "arguments", name: "Arguments of tool calls" },
  { id: "results", name: "Results of tool calls" },
  { id: "reasoning", name: "Reasoning" },
  { id: "files", name: "Files", hint: "that the thread wrote" },
  { id: "cost", name: "Tokens and cost" },
] as const satisfies readonly { id: ShareInclude; name: string; hint?: string }[];

const DAY_MS = 86_400_000;
const ENDS = [
  { id: "1", name: "In a day" },
  { id: "7", name: "In 7 days" },
  { id: "30", name: "In 30 days" },
  { id: "never", name: "Never" },
] as const;

export interface ShareDialogProps {
  threadId: string;
  onClose: () => void;
}

/** Creates a read-only link to the thread, and revokes it. One dialog from the start: a second would lose the focus. */
export function ShareDialog({ threadId, onClose }: ShareDialogProps) {
  const query = useQuery({ ...shareQuery(threadId), staleTime: 0 });
  const queryClient = useQueryClient();
  const [created, setCreated] = useState<CreatedShare | null>(null);
  const [isRenewing, setRenewing] = useState(false);
  const state = query.data;
  const show = (link: CreatedShare | null) => {
    setCreated(link);
    setRenewing(false);
    return queryClient.invalidateQueries({ queryKey: shareQuery(threadId).queryKey });
  };
  const revoke = useMutation({
    mutationFn: () => revokeShare(threadId),
    onSuccess: () => {
      queryClient.setQueryData(shareQuery(threadId).queryKey, (now) => now && { ...now, share: null });
      return show(null);
    },
  });
  const share = created ?? state?.share ?? null;
  const shown = isRenewing ? null : share;
  return (
    <Dialog
      title="Share thread"
      isOpen
      onClose={onClose}
      size="sm"
      actions={
        state === undefined || shown === null ? undefined : (
          <>
            <Button variant="danger" isPending={revoke.isPending} onPress={() => revoke.mutate()}>
              Revoke
            </Button>
            <Button variant="ghost" onPress={() => setRenewing(true)}>
              New link
            </Button>
            {created ? <CopyLink url={created.url} /> : null}
          </>
        )
      }
    >
      {state === undefined ? (
        <Loading error={query.error} />
      ) : (
        <>
          <p className="mb-3 text-sm text-muted">
            {state.isPublic
              ? "Anyone with the link can read the copy, without signing in."
              : "Anyone with the link can read the copy once they have signed in."}
          </p>
          {shown === null ? (
            <ShareForm threadId={threadId} hasOther={share !== null} onCreated={(link) => void show(link)} />
          ) : (
            <ShareText share={shown} url={created?.url ?? null} />
          )}
          {revoke.error ? <Refusal error={revoke.error} /> : null}
        </>
      )}
    </Dialog>
  );
}

/** The one thing to do with a new link, which is not shown again. */
function CopyLink({ url }: { url: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await copyText(url);
      setCopied(true);
    } catch {
      showToast({ title: "The browser blocked copying", tone: "error" });
    }
  };
  return (
    <Button variant="primary" onPress={() => void copy()}>
      {isCopied ? <Check aria-hidden /> : <Copy aria-hidden />}
      {isCopied ? "Copied" : "Copy"}
    </Button>
  );
}

function Loading({ error }: { error: unknown }) {
  return error ? <Refusal error={error} /> : <SkeletonList label="Loading" rows={3} rowHeight={32} />;
}

function Refusal({ error }: { error: unknown }) {
  return (
    <p role="alert" className="mt-3 text-sm text-fail-text">
      {errorMessage(error)}
    </p>
  );
}

interface ShareFormProps {
  threadId: string;
  /** The thread has a link, which the new one replaces. */
  hasOther: boolean;
  onCreated: (created: CreatedShare) => void;
}

function ShareForm({ threadId, hasOther, onCreated }: ShareFormProps) {
  const [include, setInclude] = useState<readonly string[]>([]);
  const [ends, setEnds] = useState<string>("30");
  const create = useMutation({
    mutationFn: () => {
      const expiresAt = ends === "never" ? null : new Date(Date.now() + Number(ends) * DAY_MS).toISOString();
      const ticked = INCLUDES.flatMap(({ id }) => (include.includes(id) ? [id] : []));
      return shareThread(threadId, { include: ticked, expiresAt });
    },
    onSuccess: onCreated,
  });
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!create.isPending) create.mutate();
      }}
    >
      <p className="text-sm">
        The link shows a copy of this thread as it is now: its texts and the names of its tools. A reply that is still
        being written, and anything later, is not included.
      </p>
      <CheckList label="Also show" options={INCLUDES} value={include} onChange={setInclude} />
      <Select label="The link expires" options={ENDS} value={ends} onChange={setEnds} />
      {hasOther ? <p className="text-sm text-muted">The current link will stop working.</p> : null}
      <Button variant="primary" type="submit" isPending={create.isPending} className="self-end">
        Create link
      </Button>
      {create.error ? <Refusal error={create.error} /> : null}
    </form>
  );
}

/** `url` is null once the dialog was closed: only its hash is stored. */
function ShareText({ share, url }: { share: ShareSummary; url: string | null }) {
  const also = INCLUDES.filter(({ id }) => share.include.includes(id)).map(({ name }) => name.toLowerCase());
  const count = share.messages === 1 ? "1 message" : `${share.messages || "No"} messages`;
  return (
    <>
      {url === null ? (
        <p className="text-sm">
          This thread is shared. Its link was shown once and can't be shown again. If you have lost it, make a new one.
        </p>
      ) : (
        <>
          <div className="flex items-center gap-2 rounded-md border border-border bg-code py-1 pr-1 pl-3">
            <a href={url} target="_blank" rel="noreferrer" className="min-w-0 flex-1 font-mono text-xs break-all">
              {url}
            </a>
          </div>
          <p role="status" className="mt-2 text-sm">
            Copy the link now. It is not shown again.
          </p>
        </>
      )}
      <p className="mt-2 text-sm text-muted">
        {count}
        {also.length === 0 ? "" : ` with ${also.join(", ")}`}, copied <Time at={share.createdAt} isInSentence />.{" "}
        {share.expiresAt === null ? (
          "The link does not expire."
        ) : (
          <>
            The link expires in <TimeLeft until={share.expiresAt} />.
          </>
        )}
      </p>
    </>
  );
}
