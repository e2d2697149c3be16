import type { ReactNode } from "react";
import { classNames } from "@/lib/client/ui/class-names";

export interface SectionProps {
  title: ReactNode;
  /** Facts and small actions on the right of the head. */
  extra?: ReactNode;
  children: ReactNode;
}

/** One block of a side panel. */
export function Section({ title, extra, children }: SectionProps) {
  return (
    <section className="border-b border-border px-4 py-3 last:border-b-0">
      <header className="mb-2 flex h-5 items-center justify-between gap-2">
        <h2 className="text-sm font-medium">{title}</h2>
        <span className="tnum flex items-center gap-2 text-xs text-muted">{extra}</span>
      </header>
      {children}
    </section>
  );
}

/** A line that fills a small track; decorative, because the number is next to it. */
export function Bar({ percent, className = "bg-foreground" }: { percent: number; className?: string }) {
  return (
    <span aria-hidden="true" className="block h-1 overflow-hidden rounded-full bg-default">
      <span
        className={classNames("block h-full rounded-full", className)}
        style={{ width: `${Math.min(100, Math.max(0, percent))}%` }}
      />
    </span>
  );
}

/** Pairs of a small label and a number, in columns. */
export function FactGrid({ facts }: { facts: readonly (readonly [label: string, value: ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-2 gap-x-6 text-xs leading-[22px]">
      {facts.map(([label, value]) => (
        <div key={label} className="flex justify-between gap-2 border-b border-separator">
          <dt className="text-muted">{label}</dt>
          <dd className="tnum truncate">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
