"use client";
import { useQuery } from "@tanstack/react-query";
import { Inbox } from "lucide-react";
import Link from "next/link";
import { Count } from "@/components/ui/tag";
import { approvalsQuery } from "@/lib/client/chat/asks/decisions";

/** Number of calls that wait for the viewer; 0 until known. */
export function useWaitingCount(): number {
  return useQuery(approvalsQuery).data?.total ?? 0;
}

function nameOf(count: number): string {
  return count === 0 ? "Inbox, nothing waiting" : `Inbox, ${count} waiting for you`;
}

/** In the rail: the icon with its count. */
export function InboxIcon({ isHere }: { isHere: boolean }) {
  const count = useWaitingCount();
  return (
    <Link
      href="/inbox"
      aria-label={nameOf(count)}
      title={nameOf(count)}
      aria-current={isHere ? "page" : undefined}
      className="relative flex size-9 items-center justify-center rounded-md text-muted hover:bg-default hover:text-foreground aria-[current=page]:bg-surface-tertiary aria-[current=page]:text-foreground"
    >
      <Inbox className="size-[17px]" strokeWidth={1.75} aria-hidden />
      {count === 0 ? null : (
        <span className="absolute -top-0.5 -right-0.5">
          <Count signal>{count}</Count>
        </span>
      )}
    </Link>
  );
}

/** In a phone's menu: the same with a label. */
export function InboxRow({ isHere, className, onPress }: { isHere: boolean; className: string; onPress: () => void }) {
  const count = useWaitingCount();
  return (
    <Link href="/inbox" onClick={onPress} aria-current={isHere ? "page" : undefined} className={className}>
      <Inbox aria-hidden /> Inbox {count === 0 ? null : <Count signal>{count}</Count>}
    </Link>
  );
}
