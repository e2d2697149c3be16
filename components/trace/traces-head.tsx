"use client";
import Link from "next/link";
import type { ReactNode } from "react";
import { PageHead } from "@/components/shell/page-head";

const TABS = [
  { id: "runs", name: "Runs", href: "/traces" },
  { id: "problems", name: "Problems", href: "/traces/problems" },
  { id: "alerts", name: "Alerts", href: "/traces/alerts" },
] as const;

export interface TracesHeadProps {
  current: (typeof TABS)[number]["id"];
  actions?: ReactNode;
}

/** The shared head of the runs, of what goes wrong in them, and of what one is told of them. */
export function TracesHead({ current, actions }: TracesHeadProps) {
  return (
    <PageHead
      title="Traces"
      facts={
        <nav aria-label="Traces" className="flex shrink-0 items-center gap-1 pl-3">
          {TABS.map(({ id, name, href }) => (
            <Link
              key={id}
              href={href}
              aria-current={id === current ? "page" : undefined}
              className="flex h-7 shrink-0 items-center rounded-md px-2 text-sm text-muted touch-row hover:text-foreground aria-[current=page]:bg-default aria-[current=page]:font-medium aria-[current=page]:text-foreground"
            >
              {name}
            </Link>
          ))}
        </nav>
      }
      actions={actions}
    />
  );
}
