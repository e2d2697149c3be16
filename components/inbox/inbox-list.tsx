import Link from "next/link";
import { StateRing } from "@/components/ui/state-ring";
import { Tag } from "@/components/ui/tag";
import { Time } from "@/components/ui/time";
import { interruptGist } from "@/lib/client/interrupt-words";
import type { Approval } from "@/lib/schema/interrupt";

/** One row per call that waits, what waits longest first; it leads to the thread, where it is decided. */
export function InboxList({ approvals }: { approvals: readonly Approval[] }) {
  return (
    <ul aria-label="Waiting for you" className="divide-y divide-separator">
      {approvals.map((approval) => (
        <li key={approval.id} className="border-l-2 border-signal-mark">
          <Link
            href={`/threads/${approval.threadId}`}
            className="flex min-h-11 items-center gap-3 px-4 py-2 -outline-offset-2 hover:bg-default"
          >
            <StateRing status="waiting" labelled />
            <span className="min-w-0 flex-1">
              <span className="block truncate text-sm font-medium">{approval.threadTitle ?? "New thread"}</span>
              <span className="block truncate text-xs text-signal-text" title={interruptGist(approval)}>
                {interruptGist(approval)}
              </span>
            </span>
            <Tag className="max-sm:hidden">{approval.agentName}</Tag>
            <Time at={approval.waitingSince} className="tnum shrink-0 text-xs text-muted" />
          </Link>
        </li>
      ))}
    </ul>
  );
}
