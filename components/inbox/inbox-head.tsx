"use client";
import Link from "next/link";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { PageHead } from "@/components/shell/page-head";
import { useWaitingCount } from "@/components/shell/places/place-link";
import { Count } from "@/components/ui/tag";

const TABS = [
  { href: "/inbox", label: "Waiting for you" },
  { href: "/inbox/grants", label: "Allowed calls" },
  { href: "/inbox/connections", label: "Connections" },
] as const;

/** The shared head of the inbox pages: what waits, what was allowed for longer, and accounts elsewhere. */
export function InboxHead({ actions }: { actions?: ReactNode }) {
  const pathname = usePathname();
  const waiting = useWaitingCount();
  return (
    <>
      <PageHead title="Inbox" actions={actions} />
      <nav aria-label="Inbox" className="flex shrink-0 gap-1 border-b border-border px-3">
        {TABS.map(({ href, label }) => (
          <Link
            key={href}
            href={href}
            aria-current={pathname === href ? "page" : undefined}
            className="-mb-px flex h-9 items-center gap-1.5 border-b-2 border-transparent px-2.5 text-sm text-muted touch-row hover:text-foreground aria-[current=page]:border-foreground aria-[current=page]:font-medium aria-[current=page]:text-foreground"
          >
            {label}
            {href === "/inbox" && waiting > 0 ? <Count signal>{waiting}</Count> : null}
          </Link>
        ))}
      </nav>
    </>
  );
}
