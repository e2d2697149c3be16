"use client";
import Link from "next/link";
import type { ReactNode } from "react";
import { PageHead } from "@/components/shell/page-head";
import { useShell } from "@/components/shell/shell-context";
import { Count } from "@/components/ui/tag";
import { classNames } from "@/lib/client/ui/class-names";
import { type AutomationTab, automationTabsFor } from "./automation-tabs";

export interface AutomationHeadProps {
  current: AutomationTab;
  /** How many there are in this tab, once known. */
  count?: number | undefined;
  facts?: ReactNode;
  actions?: ReactNode;
}

/** The shared head of everything that starts runs by itself; on a phone the tabs have a line of their own. */
export function AutomationHead({ current, count, facts, actions }: AutomationHeadProps) {
  return (
    <>
      <PageHead
        title="Automations"
        facts={
          <>
            <AutomationTabs current={current} count={count} className="pl-3 max-md:hidden" />
            {facts}
          </>
        }
        actions={actions}
      />
      <AutomationTabs
        current={current}
        count={count}
        className="overflow-x-auto border-b border-border px-2 py-1 md:hidden"
      />
    </>
  );
}

type AutomationTabsProps = Pick<AutomationHeadProps, "current" | "count"> & { className: string };

function AutomationTabs({ current, count, className }: AutomationTabsProps) {
  const { viewer } = useShell();
  return (
    <nav aria-label="Automations" className={classNames("flex shrink-0 items-center gap-1", className)}>
      {automationTabsFor(viewer.role).map(({ id, name, href }) => (
        <Link
          key={id}
          href={href}
          aria-current={id === current ? "page" : undefined}
          className="flex h-7 shrink-0 items-center gap-1.5 rounded-md px-2 text-sm text-muted touch-row hover:text-foreground aria-[current=page]:bg-default aria-[current=page]:font-medium aria-[current=page]:text-foreground"
        >
          {name}
          {id === current && count !== undefined ? <Count>{count}</Count> : null}
        </Link>
      ))}
    </nav>
  );
}
