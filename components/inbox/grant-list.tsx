"use client";
import { ChevronRight } from "lucide-react";
import Link from "next/link";
import { useId, useState } from "react";
import { CallArguments } from "@/components/chat/transcript/call-arguments";
import { Button } from "@/components/ui/controls/button";
import { Tag } from "@/components/ui/tag";
import { Time, TimeLeft } from "@/components/ui/time";
import { revokeGrant } from "@/lib/client/chat/asks/decisions";
import { GRANTS_KEY } from "@/lib/client/http/query-keys";
import { classNames } from "@/lib/client/ui/class-names";
import { showToast } from "@/lib/client/ui/toast-store";
import { useAction } from "@/lib/client/ui/use-action";
import type { Grant } from "@/lib/schema/runs/interrupt";
import { plainGist } from "@/lib/schema/tools/plain-gist";

interface GrantListProps {
  grants: readonly Grant[];
  /**
   * Set if other people's grants are listed too: theirs show their name, and no link to a thread that only they can
   * open.
   */
  viewerId?: string;
}

/** One row per allowed call; expands to the exact arguments. */
export function GrantList({ grants, viewerId }: GrantListProps) {
  return (
    <div className="mx-auto max-w-[776px] px-6 py-5 max-sm:px-3">
      <p className="mb-3 text-xs text-muted">
        These calls run without asking, in their thread and its subagents: exactly as they are, or any simple command
        that begins with the words before “…”.
      </p>
      <ul aria-label="Allowed calls" className="border-y border-border">
        {grants.map((grant) => (
          <GrantRow key={grant.id} grant={grant} isOwn={viewerId === undefined || grant.ownerId === viewerId} />
        ))}
      </ul>
    </div>
  );
}

function GrantRow({ grant, isOwn }: { grant: Grant; isOwn: boolean }) {
  const { tool, args, pattern, suspended, threadId, threadTitle, ownerName, createdAt, expiresAt } = grant;
  const [isOpen, setOpen] = useState(false);
  const bodyId = useId();
  return (
    <li className="border-b border-separator last:border-b-0">
      <div className="flex items-center gap-2">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? bodyId : undefined}
          onClick={() => setOpen(!isOpen)}
          className="flex min-h-9 min-w-0 flex-1 items-center gap-2 pl-1.5 text-left -outline-offset-2 touch-row"
        >
          <ChevronRight className={classNames("size-3.5 shrink-0 text-subtle", isOpen && "rotate-90")} aria-hidden />
          <span className="shrink-0 font-mono text-xs font-medium">{tool}</span>
          <span className="min-w-0 truncate font-mono text-xs text-muted">
            {pattern === undefined ? plainGist(args) : `${pattern} …`}
          </span>
          {suspended ? <Tag>suspended</Tag> : null}
        </button>
        <RevokeButton grant={grant} />
      </div>
      <p className="tnum flex flex-wrap items-center gap-x-3 pb-2 pl-7 text-xs text-muted">
        {isOwn ? (
          <Link
            href={`/threads/${threadId}`}
            className="flex min-h-6 max-w-full items-center text-link touch-row hover:underline"
          >
            <span className="truncate">{threadTitle ?? "New thread"}</span>
          </Link>
        ) : (
          <span className="max-w-full truncate">in a thread of {ownerName}</span>
        )}
        <span>
          allowed <Time at={createdAt} />
        </span>
        <span>
          expires in <TimeLeft until={expiresAt} />
        </span>
        {suspended ? <span className="text-signal-text">the agent's rules changed since, so it asks again</span> : null}
      </p>
      {isOpen ? (
        <div id={bodyId} className="mb-3 overflow-hidden rounded-lg border border-border">
          <CallArguments args={args} />
        </div>
      ) : null}
    </li>
  );
}

function RevokeButton({ grant: { id, tool, args } }: { grant: Grant }) {
  const revoke = useAction({
    mutationFn: () => revokeGrant(id),
    onSuccess: () => showToast({ title: "Revoked", description: "The next call like it asks again." }),
    invalidates: [GRANTS_KEY],
  });
  return (
    <Button
      variant="danger-ghost"
      aria-label={`Revoke ${tool} ${plainGist(args)}`}
      isPending={revoke.isPending || revoke.isSuccess}
      onPress={() => revoke.mutate()}
    >
      Revoke
    </Button>
  );
}
